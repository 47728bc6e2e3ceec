import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import type { Data, Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { linkTo, shortLinkTo } from '../../rules/partner-link.ts';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Card, TitledCard } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';

type Membership = Data<'manageMe'>['partner_of'][number];
type PartnerLink = Row<'manageLinks'>;

const MAX_LINKS = 100;

export function useOwnLinks() {
  const query = { active: 'true', limit: MAX_LINKS } as const;
  return useApiQuery('manageLinks', { params: { program_id: useProgramId() }, query });
}

/** The link to share: the partner’s first one, or the one they have chosen, for any page of the site. */
export function YourLink({ membership }: { membership: Membership | undefined }) {
  const programId = useProgramId();
  const all = useOwnLinks().data?.data;
  if (!all || !membership) return null;
  return all.length === 0 ? (
    <NoLink programId={programId} />
  ) : (
    <TitledCard title="Your link" description="Share it anywhere. Anyone who visits through it is attributed to you.">
      <LinkBuilder links={[...all].reverse()} membership={membership} />
    </TitledCard>
  );
}

/** Links are sorted from the first to the latest. */
function LinkBuilder({ links, membership }: { links: PartnerLink[]; membership: Membership }) {
  const [chosen, setChosen] = useChosenLink(membership.program_id);
  const [page, setPage] = useState('');
  const link = links.find(({ short_link: name }) => name === chosen) ?? links[0];
  if (!link) return null;
  const { domain } = membership;
  const made = page.trim() === '' ? { url: link.url } : linkTo(page, { domain, shortLink: link.short_link });
  const shortAddress = 'url' in made ? shortLinkTo(made.url, link) : null;
  return (
    <div className="space-y-4">
      {'url' in made ? (
        <div className="space-y-2">
          <CodeBlock text={made.url} label={`Copy ${link.short_link}`} />
          {shortAddress && <CodeBlock text={shortAddress} label={`Copy the short address of ${link.short_link}`} />}
          {shortAddress && (
            <p className="text-caption text-quiet">
              Both lead to the same page. The second one is shorter and can be printed.
            </p>
          )}
        </div>
      ) : (
        <p role="alert" className="text-sm text-bad">
          {made.problem}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Page it leads to"
          value={page}
          onChange={(event) => setPage(event.target.value)}
          placeholder={`${domain}/pricing`}
          hint={`A path like /pricing, or nothing for ${new URL(link.url).hostname}.`}
        />
        {links.length > 1 && (
          <SelectField
            label="Link"
            options={links.map(({ short_link: name }) => [name, name] as const)}
            value={link.short_link}
            onValueChange={setChosen}
          />
        )}
      </div>
    </div>
  );
}

/** Kept in this browser: it is a matter of convenience, and the same links are in the list. */
function useChosenLink(programId: number): [string | null, (name: string) => void] {
  const key = `svc-link-${programId}`;
  const [chosen, setChosen] = useState(() => localStorage.getItem(key));
  return [
    chosen,
    (name) => {
      localStorage.setItem(key, name);
      setChosen(name);
    },
  ];
}

function NoLink({ programId }: { programId: number }) {
  return (
    <Card>
      <EmptyState
        icon={Link2}
        title="Create a link to share"
        action={
          <Link
            to="/app/portal/$programId/links"
            params={{ programId }}
            className={buttonClass({ variant: 'primary' })}
          >
            Create a link
          </Link>
        }
      >
        Visitors who click it are attributed to you.
      </EmptyState>
    </Card>
  );
}
