import type { CommissionType } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { useMayInWorkspace, whoMay } from '../../api/rights.ts';
import { roleInSentence } from '../../rules/role.ts';
import { unusualOrigin } from '../../rules/site-address.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CommissionFields } from '../../ui/forms/commission-fields.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';
import { HandedOver } from '../../ui/records/handed-over.tsx';
import { rememberNewApiKey } from './new-api-key.ts';

/** Creates a program with a name, a website and a commission. */
export function Page() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const programs = useApiQuery('managePrograms');
  const me = useApiQuery('manageMe').data?.data;
  const mayCreate = useMayInWorkspace('manageCreateProgram');
  const [type, setType] = useState<CommissionType>('percent');
  const creation = useApiMutation('manageCreateProgram', ({ id, api_key: apiKey }) => {
    rememberNewApiKey(queryClient, id, apiKey);
    void navigate({ to: '/app/programs/$programId/start', params: { programId: id } });
  });
  const create = ({ name = '', domain = '', commission_rate: rate, currency = '' }: Record<string, string>) => {
    const origin = unusualOrigin(domain);
    const commission = { commission_type: type, commission_rate: Number(rate), currency };
    creation.mutate({ body: { name, domain, ...commission, ...(origin && { allowed_origins: [origin] }) } });
  };
  return (
    <AuthLayout
      title="Create your program"
      description="Partners join it, share their links and earn the commission you set. You can change everything later."
      footer={(programs.data?.data.length ?? 0) > 0 && <Link to="/app">Back to your programs</Link>}
    >
      <HandedOver rows={me?.handed_over ?? []} />
      {me?.role && !mayCreate && (
        <Notice>
          You are {roleInSentence(me.role)} of this workspace. {whoMay('manageCreateProgram')} create programs.
        </Notice>
      )}
      <Form onSubmit={create} error={creation.error}>
        <TextField label="Name" name="name" required maxLength={255} placeholder="Acme partners" />
        <TextField
          label="Website"
          name="domain"
          required
          placeholder="example.com"
          hint="Partner links lead here, and its pages can report clicks and signups. For a local site, add its port: localhost:3000."
        />
        <CommissionFields type={type} onTypeChange={setType} defaultRate={20} defaultCurrency="USD" />
        <Button
          type="submit"
          variant="primary"
          className="w-full"
          disabled={Boolean(me?.role) && !mayCreate}
          isBusy={creation.isPending}
        >
          Create program
        </Button>
      </Form>
    </AuthLayout>
  );
}
