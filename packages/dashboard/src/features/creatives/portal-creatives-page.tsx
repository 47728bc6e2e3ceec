import { Download, Images } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { describeFile, linkFor, withLink } from '../../rules/creative.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock, CopyButton } from '../../ui/forms/copy.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Card, TitledCard } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { type Creative, CreativePreview, fileUrl } from './creative-preview.tsx';

const MAX_LINKS = 100;

/** A link of the partner, and the site that it works on. */
type Sharing = { url: string; short_link: string; domain: string };

/** What the brand gives its partners, with the partner’s own link filled in. */
export function Page() {
  const programId = useProgramId();
  const params = { program_id: programId };
  const creatives = useApiQuery('manageCreatives', { params });
  const links = useApiQuery('manageLinks', { params, query: { active: 'true', limit: MAX_LINKS } });
  const me = useApiQuery('manageMe').data?.data;
  const domain = me?.partner_of.find(({ program_id: id }) => id === programId)?.domain;
  const own = [...(links.data?.data ?? [])].reverse();
  const [chosen, setChosen] = useState<string>();
  const link = own.find(({ short_link: name }) => name === chosen) ?? own[0];
  const isReady = links.data !== undefined && domain !== undefined;
  const sharing = link && domain !== undefined ? { ...link, domain } : null;
  return (
    <>
      <PageHeader title="Creatives" description="Banners, pages and texts to share, with your link already in them." />
      <QueryState query={creatives}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <EmptyState icon={Images} title="No creatives yet">
                The brand has not published any for you.
              </EmptyState>
            </Card>
          ) : (
            // Everything appears at once: a link that comes later would move what is below it.
            <div className="space-y-6" hidden={!isReady}>
              {own.length > 1 && link && (
                <div className="max-w-xs">
                  <SelectField
                    label="Link"
                    options={own.map(({ short_link: name }) => [name, name] as const)}
                    value={link.short_link}
                    onValueChange={setChosen}
                  />
                </div>
              )}
              <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
                {data.map((creative) => (
                  <TitledCard key={creative.id} title={creative.title}>
                    <Content {...{ programId, creative, sharing }} />
                  </TitledCard>
                ))}
              </div>
            </div>
          )
        }
      </QueryState>
    </>
  );
}

type ContentProps = { programId: number; creative: Creative; sharing: Sharing | null };

function Content({ programId, creative, sharing }: ContentProps) {
  const { title, file, url, text } = creative;
  if (file) {
    return (
      <div className="space-y-4">
        <CreativePreview {...{ programId, creative }} className="h-40 w-full" />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="text-caption text-quiet">{describeFile(file)}</span>
          <a href={fileUrl(programId, creative)} download={file.name} className={buttonClass({ size: 'small' })}>
            <Download size={15} aria-hidden /> Download<span className="sr-only"> {title}</span>
          </a>
        </div>
      </div>
    );
  }
  if (url !== null) return <SharedPage title={title} page={url} sharing={sharing} />;
  return <Text title={title} text={text ?? ''} sharing={sharing} />;
}

function SharedPage({ title, page, sharing }: { title: string; page: string; sharing: Sharing | null }) {
  const made = sharing
    ? linkFor(page, { domain: sharing.domain, shortLink: sharing.short_link })
    : { url: page, isTracked: false };
  return (
    <div className="space-y-2">
      <CodeBlock text={made.url} label={`Copy ${title}`} />
      <p className="text-caption text-quiet">
        {made.isTracked
          ? 'Visitors are attributed to you.'
          : 'This page is not on the brand’s site, so visits to it are not attributed.'}
      </p>
    </div>
  );
}

function Text({ title, text, sharing }: { title: string; text: string; sharing: Sharing | null }) {
  const filled = sharing ? withLink(text, sharing.url) : text;
  return (
    <div className="space-y-3">
      <p className="max-h-72 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">{filled}</p>
      <CopyButton text={filled} label={`Copy ${title}`} />
    </div>
  );
}
