import { COMMISSION_BASES, COMMISSION_TYPES, type CommissionType, isCommissionType } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useRead } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { COMMISSION_CHOICES } from '../../ui/forms/commission-choices.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FrontPage } from '../../ui/layout/auth-layout.tsx';
import { brandPath } from '../../ui/layout/urls.ts';
import { rememberNewKey } from './new-key.ts';

/** The first step: a program with a name, a site and what it pays. */
export function Page() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const programs = useRead('managePrograms');
  const [type, setType] = useState<CommissionType>('percent');
  const creating = useAction('manageCreateProgram', ({ id, api_key: apiKey }) => {
    rememberNewKey(queries, id, apiKey);
    void navigate({ to: brandPath(id, 'start') });
  });
  const create = ({ name = '', domain = '', rate = '', currency = '' }: Record<string, string>) =>
    creating.mutate({
      body: {
        name,
        domain,
        commission_type: type,
        commission_rate: Number(rate),
        currency,
      },
    });
  return (
    <FrontPage
      title="Create your program"
      words="Partners join it, share their links, and earn what you set here. Everything can be changed later."
      footer={(programs.data?.data.length ?? 0) > 0 && <Link to="/app">Back to your programs</Link>}
    >
      <Form onSubmit={create} error={creating.error}>
        <TextField label="Name" name="name" required maxLength={255} placeholder="Acme partners" />
        <TextField
          label="Website"
          name="domain"
          required
          placeholder="example.com"
          hint="Links lead there, and its pages may report clicks."
        />
        <SelectField
          label="Partners earn"
          choices={COMMISSION_CHOICES}
          value={type}
          onChange={({ target }) => isCommissionType(target.value) && setType(target.value)}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={COMMISSION_BASES[COMMISSION_TYPES[type].basis].rateLabel}
            name="rate"
            type="number"
            min="0.0001"
            step="any"
            required
            defaultValue="20"
          />
          <TextField label="Currency" name="currency" required defaultValue="USD" pattern="[A-Za-z]{3}" maxLength={3} />
        </div>
        <Button type="submit" look="primary" className="w-full" isBusy={creating.isPending}>
          Create program
        </Button>
      </Form>
    </FrontPage>
  );
}
