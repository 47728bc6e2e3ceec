import { useSearch } from '@tanstack/react-router';
import { usePartnerOptions } from '../../api/program.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { PartnerFilter } from '../../ui/records/partner-filter.tsx';
import { LinkList } from './link-list.tsx';

/** All links of a program. */
export function Page() {
  const programId = useProgramId();
  const partners = usePartnerOptions(programId);
  return (
    <LinkList
      search={useSearch({ from: '/app/programs/$programId/links' })}
      description="Every link belongs to a partner, and its clicks are attributed to them."
      emptyText="Create a link for a partner to share. Its clicks are attributed to them."
      partners={partners}
      partnerColumn={{ title: 'Partner', cell: ({ partner_name: name }) => name }}
      partnerFilter={<PartnerFilter programId={programId} />}
    />
  );
}
