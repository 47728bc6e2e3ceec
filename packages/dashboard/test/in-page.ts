// Functions that run in the page, where they find the application by the name that its router has there.

type Query = { state: { dataUpdatedAt: number } };
type Queries = {
  clear: () => void;
  removeQueries: (filter: { type: 'inactive' }) => void;
  invalidateQueries: (filter: { predicate: (query: Query) => boolean }) => Promise<void>;
};
type Navigation = { href: string; replace?: boolean; ignoreBlocker?: boolean };
type Router = { navigate: (to: Navigation) => Promise<void>; options: { context: { queryClient: Queries } } };
type Application = { __TSR_ROUTER__?: Router };

/**
 * Goes to a page like a link does. Messages of earlier pages are closed, and data of earlier pages, which may be some seconds
 * old, is fetched again. Returns whether the application is there.
 */
export async function navigate(href: string): Promise<boolean> {
  const router = (globalThis as Application).__TSR_ROUTER__;
  if (!router) return false;
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]')) button.click();
  const { queryClient } = router.options.context;
  const before = Date.now();
  queryClient.removeQueries({ type: 'inactive' });
  await router.navigate({ href });
  const isOld = ({ state: { dataUpdatedAt } }: Query) => dataUpdatedAt > 0 && dataUpdatedAt <= before;
  await queryClient.invalidateQueries({ predicate: isOld });
  return true;
}

/** Makes the application forget its user, on a page that shows and fetches nothing. Returns whether nothing is left. */
export async function forget(): Promise<boolean> {
  const router = (globalThis as Application).__TSR_ROUTER__;
  if (!router) return false;
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]')) button.click();
  await router.navigate({ href: '/app/nowhere', replace: true, ignoreBlocker: true });
  router.options.context.queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  const { dataset, style } = document.documentElement;
  const isPlain = Object.keys(dataset).length === 0 && style.length === 0;
  return isPlain && document.querySelector('[role="dialog"], [role="alertdialog"], [aria-label="Dismiss"]') === null;
}
