import { Link, type LinkProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { labelOf } from '../../rules/label.ts';
import { buttonClass } from '../forms/button.tsx';
import { useProgramId } from '../layout/program-id.ts';
import { EmptyState } from '../lists/empty-state.tsx';

/** A list of a program: its path has no other parameter. */
type ListPath = Extract<
  LinkProps['to'],
  `/app/${'programs' | 'portal'}/$programId/${'partners' | 'customers' | 'payouts'}`
>;
type RecordNotFoundProps = { noun: string; id: string; list: ListPath };

/** Shown for an id that no record of the program has, with a link to those that exist. */
export function RecordNotFound({ noun, id, list }: RecordNotFoundProps) {
  const programId = useProgramId();
  const back = (
    <Link to={list} params={{ programId }} className={buttonClass({ variant: 'primary' })}>
      Back to all {noun}s
    </Link>
  );
  return (
    <EmptyState icon={Compass} title={`${labelOf(noun)} not found`} action={back} isPage>
      This program has no {noun} with the ID {id}, or you don’t have access to it.
    </EmptyState>
  );
}
