import "@patternfly/react-core/dist/styles/base.css";
import "./app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { showStoredTheme } from "./theme/use-theme.ts";

const root = document.getElementById("root");
if (root) {
  showStoredTheme();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
