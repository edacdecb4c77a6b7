/** What a master runs of an operator's static pods (operator.openshift.io/v1 NodeStatus). */
export interface NodeRevision {
  readonly nodeName: string;
  readonly currentRevision?: number;
}

/** The revision of the static pods with which nodes begin. */
const firstRevision = 1;

/** An entry for every node. Gives `known` itself where none is missing. */
export function withNodes(known: readonly NodeRevision[], nodes: readonly string[]): readonly NodeRevision[] {
  const missing = nodes.filter((node) => !known.some(({ nodeName }) => nodeName === node));
  return missing.length === 0 ? known : [...known, ...missing.map((nodeName) => ({ nodeName }))];
}

/** A revision in every entry: what others have, for it never goes down. Gives `known` itself where none is missing. */
export function withRevisions(known: readonly NodeRevision[]): readonly NodeRevision[] {
  if (known.every(({ currentRevision }) => currentRevision)) return known;
  const revision = Math.max(firstRevision, ...known.map(({ currentRevision = 0 }) => currentRevision));
  return known.map((each) => (each.currentRevision ? each : { ...each, currentRevision: revision }));
}
