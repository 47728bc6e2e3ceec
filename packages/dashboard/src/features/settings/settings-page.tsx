import type { ReactNode } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { useIsOwner } from '../../api/program.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { GroupedTabs } from '../../ui/forms/tabs.tsx';
import { EditableWith } from '../../ui/layout/allowed.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { ApiKey } from './api-key.tsx';
import { CommissionSettings } from './commission-settings.tsx';
import { Imports } from './imports/imports.tsx';
import { JoinPageSettings } from './join-page/join-page-settings.tsx';
import { LinkHosts } from './link-hosts.tsx';
import { MailOpenings } from './mail-openings.tsx';
import { Origins } from './origins.tsx';
import { PayoutSettings } from './payout-settings.tsx';
import { Processor } from './processor.tsx';
import { ProfileSettings } from './profile-settings.tsx';
import { ProgramStatusSettings } from './program-status.tsx';
import { TrackingSettings } from './tracking-settings.tsx';
import { useWebhookMark, Webhooks } from './webhooks/webhooks.tsx';

const editable = (settings: ReactNode) => <EditableWith route="manageUpdateProgram">{settings}</EditableWith>;

export function Page() {
  const programId = useProgramId();
  const isOwner = useIsOwner(programId);
  const webhookMark = useWebhookMark(programId);
  const program = useApiQuery('manageProgram', { params: { program_id: programId } });
  return (
    <>
      <PageHeader title="Settings" />
      <QueryState query={program} lines={8}>
        {({ data }) => (
          <div className="max-w-5xl">
            <GroupedTabs
              label="Settings"
              groups={[
                {
                  title: 'Program',
                  tabs: [
                    { name: 'profile', title: 'Profile', content: editable(<ProfileSettings program={data} />) },
                    {
                      name: 'commission',
                      title: 'Commission',
                      content: editable(<CommissionSettings program={data} />),
                    },
                    { name: 'join', title: 'Join page', content: editable(<JoinPageSettings program={data} />) },
                    {
                      name: 'mails',
                      title: 'Emails',
                      content: (
                        <EditableWith route="manageUpdateMailOpenings">
                          <MailOpenings programId={programId} />
                        </EditableWith>
                      ),
                    },
                    { name: 'payouts', title: 'Payouts', content: <PayoutSettings program={data} /> },
                  ],
                },
                {
                  title: 'Tracking',
                  tabs: [
                    { name: 'tracking', title: 'Tracking', content: editable(<TrackingSettings program={data} />) },
                    { name: 'origins', title: 'Origins', content: editable(<Origins program={data} />) },
                    { name: 'hosts', title: 'Link host', content: <LinkHosts programId={programId} /> },
                  ],
                },
                {
                  title: 'Connections',
                  tabs: [
                    { name: 'key', title: 'API key', content: <ApiKey program={data} isOwner={isOwner} /> },
                    {
                      name: 'payments',
                      title: 'Payments',
                      content: <Processor programId={programId} isOwner={isOwner} />,
                    },
                    {
                      name: 'webhooks',
                      title: 'Webhooks',
                      mark: webhookMark,
                      content: <Webhooks programId={programId} />,
                    },
                    { name: 'imports', title: 'Imports', content: <Imports programId={programId} /> },
                  ],
                },
                {
                  title: 'Pause or delete',
                  tabs: [
                    {
                      name: 'status',
                      title: 'Status',
                      content: <ProgramStatusSettings program={data} isOwner={isOwner} />,
                    },
                  ],
                },
              ]}
            />
          </div>
        )}
      </QueryState>
    </>
  );
}
