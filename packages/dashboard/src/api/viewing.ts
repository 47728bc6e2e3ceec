import type { manageViewAsPartner, ReplyOf } from '@svc/contract';

/** Which partner’s portal a brand member is viewing, and what the API tells that partner about the program. */
export type Viewing = ReplyOf<typeof manageViewAsPartner>['data'];

const KEY = 'svc-view-as-partner';

/**
 * The view as a partner in this tab, on pages of that portal; null elsewhere. Starting and ending it loads the application again,
 * so that nothing of one side is left on the other.
 */
export function viewing(): Viewing | null {
  try {
    const view = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Viewing | null;
    return view && location.pathname.startsWith(`${portalOf(view)}/`) ? view : null;
  } catch {
    return null;
  }
}

export function startViewing(view: Viewing): void {
  sessionStorage.setItem(KEY, JSON.stringify(view));
  location.assign(`${portalOf(view)}/overview`);
}

/** Ends the view and opens a page of the brand, that of the partner by default. */
export function stopViewing({ membership: { program_id: program, partner_id: partner } }: Viewing, to?: string): void {
  sessionStorage.removeItem(KEY);
  location.assign(to ?? `/app/programs/${program}/partners/${partner}`);
}

export const portalOf = ({ program }: Viewing) => `/app/portal/${program.id}`;
