import { TitledCard } from '../../../ui/layout/card.tsx';
import { Answers } from '../../../ui/records/answers.tsx';
import { Time } from '../../../ui/records/time.tsx';
import type { PartnerData } from './profile.tsx';

/** What the partner answered on the join page, and which agreement they accepted. */
export function Application({ partner: { answers, agreements } }: { partner: PartnerData }) {
  if (answers.length === 0 && agreements.length === 0) return null;
  return (
    <TitledCard title="Application">
      <Answers answers={answers} />
      {agreements.map(({ version, accepted_at: at }) => (
        <p key={`${version} ${at}`} className="mt-3 text-caption text-quiet">
          Accepted version {version} of the agreement on <Time at={at} />
        </p>
      ))}
    </TitledCard>
  );
}
