/** Static pod revision of a master (operator.openshift.io/v1 NodeStatus). */
export interface NodeRevision {
  readonly nodeName: string;
  readonly currentRevision?: number;
}

/** Initial static pod revision of nodes. */
const firstRevision = 1;

/** Adds an entry for every missing node. Returns `known` itself if no entry is missing. */
export function withNodes(known: readonly NodeRevision[], nodes: readonly string[]): readonly NodeRevision[] {
  const missing = nodes.filter((node) => !known.some(({ nodeName }) => nodeName === node));
  return missing.length === 0 ? known : [...known, ...missing.map((nodeName) => ({ nodeName }))];
}

/**
 * Gives each entry that has no revision the highest revision of all entries. Revisions never decrease. Returns `known` itself if nothing
 * changes.
 */
export function withRevisions(known: readonly NodeRevision[]): readonly NodeRevision[] {
  if (known.every(({ currentRevision }) => currentRevision)) return known;
  const revision = Math.max(firstRevision, ...known.map(({ currentRevision = 0 }) => currentRevision));
  return known.map((each) => (each.currentRevision ? each : { ...each, currentRevision: revision }));
}
