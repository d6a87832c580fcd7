import { Config } from "@stencil/core";

export const config: Config = {
  namespace: "site",
  outputTargets: [{ type: "www", serviceWorker: null, baseUrl: "/" }],
};
