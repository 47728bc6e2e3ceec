import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/urls.ts';
import { LinkList } from './link-list.tsx';
import { NewLinkDialog } from './new-link-dialog.tsx';

/** A partner's own links. */
export function Page() {
  const programId = useProgramId();
  const [isMaking, setMaking] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus size={16} aria-hidden /> New link
    </Button>
  );
  return (
    <>
      <PageHead title="Your links" words="Share them where your people are. One for each place tells you what works.">
        {create}
      </PageHead>
      <LinkList create={create} />
      <NewLinkDialog programId={programId} isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  );
}
