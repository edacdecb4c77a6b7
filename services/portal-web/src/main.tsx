import "@patternfly/react-core/dist/styles/base.css";
import "./app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";
import { preload } from "./preload.ts";
import { showStoredTheme } from "./theme/use-theme.ts";

const root = document.getElementById("root");
if (root) {
  showStoredTheme();
  const client = createQueryClient();
  preload(location.pathname, client);
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
}
