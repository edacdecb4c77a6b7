import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { builtinPlugins } from "./builtin-plugins.ts";
import type { AdmissionPlugin, PluginContext } from "./plugin.ts";

const none: readonly AdmissionPlugin[] = [];
const byTarget = new Map<string, AdmissionPlugin[]>();
for (const plugin of builtinPlugins) {
  for (const target of plugin.targets) {
    const found = byTarget.get(target);
    if (found) found.push(plugin);
    else byTarget.set(target, [plugin]);
  }
}

/** Built-in plugins of one cluster. They run in order. A plugin runs only for writes that match its targets. */
export class PluginChain {
  readonly #context: PluginContext;

  constructor(context: PluginContext) {
    this.#context = context;
  }

  handles(request: AdmissionRequest): boolean {
    return this.#pluginsFor(request).length > 0;
  }

  /**
   * Runs the mutating plugins and returns the request with the changed object.
   * @throws StatusError
   */
  async mutate(request: AdmissionRequest): Promise<AdmissionRequest> {
    let current = request;
    for (const { admit, mutate } of this.#pluginsFor(request)) {
      await admit?.(current, this.#context);
      const { object } = current;
      if (!mutate || !object) continue;
      current = { ...current, object: await mutate({ ...current, object }, this.#context) };
    }
    return current;
  }

  /** @throws StatusError */
  async validate(request: AdmissionRequest): Promise<void> {
    // The object has its generated name by now. Error messages must contain that name.
    const named = request.name ? request : { ...request, name: request.object?.metadata.name ?? "" };
    for (const { validate } of this.#pluginsFor(request)) await validate?.(named, this.#context);
  }

  #pluginsFor({ operation, resource, subresource }: AdmissionRequest): readonly AdmissionPlugin[] {
    const target = `${operation} ${resource.bucket}`;
    const plugins = byTarget.get(subresource ? `${target}/${subresource}` : target) ?? none;
    const { disabledPlugins } = this.#context;
    return disabledPlugins.size === 0 ? plugins : plugins.filter(({ name }) => !disabledPlugins.has(name));
  }
}
