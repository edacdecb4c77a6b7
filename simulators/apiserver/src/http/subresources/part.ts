import type { ModifiedPart } from "../../registry/modified-part.ts";
import { handleGet } from "../../verbs/get.ts";
import { handlePatch } from "../../verbs/patch.ts";
import { handleUpdate } from "../../verbs/update.ts";
import type { ResourceRequest } from "../resources/resource-request.ts";

/** Returns the handler of a subresource that reads the complete object and updates only `part`. */
export function partHandler(part: ModifiedPart): (call: ResourceRequest) => Promise<void> {
  return (call) => {
    if (call.info.verb === "get") return handleGet(call);
    return call.info.verb === "update" ? handleUpdate(call, part) : handlePatch(call, part);
  };
}
