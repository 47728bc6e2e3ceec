import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePartnerChoices } from '../../api/program.ts';
import { Button } from '../../ui/forms/button.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/urls.ts';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { LinkList } from './link-list.tsx';
import { NewLinkDialog } from './new-link-dialog.tsx';

/** All links of a program. */
export function Page() {
  const programId = useProgramId();
  const partners = usePartnerChoices(programId);
  const [isMaking, setMaking] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus size={16} aria-hidden /> New link
    </Button>
  );
  return (
    <>
      <PageHead title="Links" words="Each belongs to a partner and counts what comes through it.">
        {create}
      </PageHead>
      <LinkList
        create={create}
        partnerColumn={{ title: 'Partner', show: ({ partner_name: name }) => name }}
        partnerFilter={<FilterSelect name="partner_id" label="All partners" choices={partners} />}
      />
      <NewLinkDialog programId={programId} partners={partners} isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  );
}
