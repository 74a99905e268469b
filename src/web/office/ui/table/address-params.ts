import { useSearchParams, type NavigateOptions } from "react-router";

/**
 * The parameters of the address, and a function that changes some of them. A change starts from the address as it is now and not from the
 * parameters of the last render, as the setter of `useSearchParams` does: a list of hundreds of rows is rendered for a while, and a second
 * change made meanwhile would undo the first.
 */
export function useAddressParams(): [URLSearchParams, (change: (params: URLSearchParams) => void, options?: NavigateOptions) => void] {
  const [params, setParams] = useSearchParams();
  return [
    params,
    (change, options) => {
      const next = new URLSearchParams(window.location.search);
      change(next);
      setParams(next, options);
    },
  ];
}

/** Sets a parameter; an empty value removes it. */
export function setOrDelete(params: URLSearchParams, name: string, value: string): void {
  if (value) params.set(name, value);
  else params.delete(name);
}
