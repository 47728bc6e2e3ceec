import { useSearch } from '@tanstack/react-router';
import { LinkList } from './link-list.tsx';

/** A partner’s own links. */
export function Page() {
  return (
    <LinkList
      search={useSearch({ from: '/app/portal/$programId/links' })}
      ownership="own"
      description="Share these links to earn commissions. Create a separate link for each channel."
      emptyText="Create a link and share it. Its clicks are attributed to you."
    />
  );
}
