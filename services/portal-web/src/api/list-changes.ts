import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * Applies the changes of events to a list of the query cache. A response can be older than the events that arrive before it, so
 * changes during a request are applied again to its response. After the disposal, events no longer change the list.
 */
export class ListChanges<List extends object> implements Disposable {
  readonly #client: QueryClient;
  readonly #queryKey: QueryKey;
  readonly #stop: () => void;
  /** Changes since the start of the current request, in order. */
  #duringRequest: ((list: List) => List)[] = [];

  constructor(client: QueryClient, queryKey: QueryKey) {
    this.#client = client;
    this.#queryKey = queryKey;
    const hash = hashKey(queryKey);
    this.#stop = client.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.query.queryHash !== hash) return;
      const { action } = event;
      if (action.type === "success" && !action.manual) this.#repeat();
      if (action.type === "fetch" || action.type === "error") this.#duringRequest = [];
    });
  }

  apply(change: (list: List) => List): void {
    if (this.#client.getQueryState(this.#queryKey)?.fetchStatus === "fetching")
      this.#duringRequest.push(change);
    this.#client.setQueryData<List>(this.#queryKey, (list) => list && change(list));
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #repeat(): void {
    const changes = this.#duringRequest;
    this.#duringRequest = [];
    if (changes.length > 0)
      this.#client.setQueryData<List>(
        this.#queryKey,
        (list) => list && changes.reduce((changed, change) => change(changed), list),
      );
  }
}
