import { Link, useSearch } from '@tanstack/react-router';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { LinkList } from './link-list.tsx';

/** All links of a program. */
export function Page() {
  const programId = useProgramId();
  return (
    <LinkList
      search={useSearch({ from: '/app/programs/$programId/links' })}
      description="Every link belongs to a partner, and its clicks are attributed to them."
      emptyText="Create a link for a partner to share. Its clicks are attributed to them."
      ownership="chosen"
      partnerColumn={{
        title: 'Partner',
        sortBy: 'partner_name',
        showFrom: 'medium',
        isStacked: true,
        cell: ({ partner_id: id, partner_name: name }) => (
          <Link
            to="/app/programs/$programId/partners/$partnerId"
            params={{ programId, partnerId: String(id) }}
            className="hover:underline"
          >
            <NameWithAvatar name={name} />
          </Link>
        ),
      }}
      partnerFilter={<PartnerFilter programId={programId} />}
    />
  );
}
