import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  // The tests serve the build below /app/, beside their other pages.
  base: "/app/",
  build: { license: { fileName: "licenses.md" } },
  plugins: [react()],
});
