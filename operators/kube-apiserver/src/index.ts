export { render } from "./render/render.ts";
export { type RenderOptions, renderDefaults } from "./render/render-options.ts";
