type Query = { state: { dataUpdatedAt: number } };
type Queries = {
  cancelQueries: () => Promise<void>;
  clear: () => void;
  removeQueries: (filter: { type: 'inactive' }) => void;
  invalidateQueries: (filter: { predicate: (query: Query) => boolean }) => Promise<void>;
};
type Router = { navigate: (to: { href: string; ignoreBlocker?: boolean }) => Promise<void> };
type Application = { __TSR_ROUTER__?: Router };
/** A component on the page, as React keeps it. */
type Component = { child: Component | null; memoizedProps: { client?: Queries } | null };
type Root = { stateNode: { current: Component } };

/**
 * Goes to a page like a link does. Messages of earlier pages are closed, and data of earlier pages, which may be some seconds
 * old, is fetched again. With `forgets`, everything is forgotten, for the next person. Returns whether the application is there and
 * shows the page. Runs in the page, so it uses nothing from outside.
 */
export async function navigate({ href, forgets }: { href: string; forgets: boolean }): Promise<boolean> {
  const router = (globalThis as Application).__TSR_ROUTER__;
  if (!router) return false;
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]')) button.click();

  const element: Record<string, Root> = Object(document.getElementById('root'));
  const root = Object.entries(element).find(([name]) => name.startsWith('__reactContainer$'))?.[1];
  let component = root?.stateNode.current ?? null;
  while (component && !component.memoizedProps?.client) component = component.child;
  const queries = component?.memoizedProps?.client;
  if (!queries) throw new Error('The query client was not found in the component tree');

  if (forgets) {
    await queries.cancelQueries();
    // Also from a form with changes, which would ask.
    await router.navigate({ href, ignoreBlocker: true });
    queries.clear();
    localStorage.clear();
    sessionStorage.clear();
    delete document.documentElement.dataset.theme;
    const isOpen = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
    return location.pathname === href && document.querySelector(isOpen) === null;
  }
  const before = Date.now();
  queries.removeQueries({ type: 'inactive' });
  await router.navigate({ href });
  const isOld = ({ state: { dataUpdatedAt } }: Query) => dataUpdatedAt > 0 && dataUpdatedAt <= before;
  await queries.invalidateQueries({ predicate: isOld });
  return true;
}
