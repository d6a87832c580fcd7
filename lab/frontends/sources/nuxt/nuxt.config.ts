export default defineNuxtConfig({ telemetry: false, ssr: true, compatibilityDate: "2025-01-01" });
