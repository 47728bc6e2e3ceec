type Query = { state: { dataUpdatedAt: number } };
type Queries = {
  removeQueries: (filter: { type: 'inactive' }) => void;
  invalidateQueries: (filter: { predicate: (query: Query) => boolean }) => Promise<void>;
};
type Router = { navigate: (to: { href: string }) => Promise<void>; options: { context: { queryClient: Queries } } };
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
