/** Catalogue that the marketplace operator creates. */
export interface DefaultCatalog {
  readonly name: string;
  readonly displayName: string;
  readonly publisher: string;
  /** Repository of the index image. */
  readonly index: string;
  readonly priority: number;
}

/** Namespace of the catalogues for all namespaces. */
export const marketplaceNamespace = "openshift-marketplace";

/** Default catalogues. Source: operator-framework/operator-marketplace `defaults/`. */
export const defaultCatalogs: readonly DefaultCatalog[] = [
  {
    name: "redhat-operators",
    displayName: "Red Hat Operators",
    publisher: "Red Hat",
    index: "registry.redhat.io/redhat/redhat-operator-index",
    priority: -100,
  },
  {
    name: "certified-operators",
    displayName: "Certified Operators",
    publisher: "Red Hat",
    index: "registry.redhat.io/redhat/certified-operator-index",
    priority: -200,
  },
  {
    name: "redhat-marketplace",
    displayName: "Red Hat Marketplace",
    publisher: "Red Hat",
    index: "registry.redhat.io/redhat/redhat-marketplace-index",
    priority: -300,
  },
  {
    name: "community-operators",
    displayName: "Community Operators",
    publisher: "Red Hat",
    index: "registry.redhat.io/redhat/community-operator-index",
    priority: -400,
  },
];
