import "@patternfly/react-core/dist/styles/base.css";
import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createQueryClient } from "./requests/query-client.ts";
import { signInByLink } from "./requests/sign-in.ts";
import { followSystemTheme } from "./shell/theme.ts";

const root = document.getElementById("root");
if (root) {
  followSystemTheme();
  const refusal = await signInByLink();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <App refusal={refusal} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
