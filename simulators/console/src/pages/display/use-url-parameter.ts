import { useSearchParams } from "wouter";

/**
 * Stores page state in a query parameter of the URL, so that a reload or a copied link shows the same state. Returns the
 * parameter's value and a function that changes it. An empty value removes the parameter. `replaces` keeps the browser history
 * short for values that a person types.
 */
export function useUrlParameter(
  name: string,
  { replaces = false }: { readonly replaces?: boolean } = {},
): readonly [value: string, set: (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (value: string) =>
    setParameters(
      (previous) => {
        const next = new URLSearchParams(previous);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: replaces },
    );
  return [parameters.get(name) ?? "", set];
}
