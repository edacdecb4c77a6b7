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

/** Built-in plugins of one cluster. Each runs in order for the writes among its targets. */
export class PluginChain {
  readonly #context: PluginContext;

  constructor(context: PluginContext) {
    this.#context = context;
  }

  handles(request: AdmissionRequest): boolean {
    return this.#pluginsFor(request).length > 0;
  }

  /** Returns the request with the object as changed by all plugins. @throws StatusError */
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
    // The object now has its generated name, which denials must show.
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
