import type { Call } from '../../api/client.ts';
import { TextArea, TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import type { Offer } from './offers.tsx';

const MAX_LENGTH = { text: 200, long_text: 2_000 };

/** Answers by question. */
export type Answers = Record<string, string>;

/** What goes with the acceptance: the answers, and the versions of the agreements that were shown. */
export function applicationOf(
  offers: Offer[],
  answers: Answers,
): Omit<NonNullable<Call<'manageAccept'>['body']>, 'token'> {
  const asked = offers.flatMap(({ questions }) => questions);
  return {
    answers: asked.map(({ label }) => ({ question: label, answer: answers[label] ?? '' })),
    agreements: offers.flatMap(({ program_id, agreement }) =>
      agreement ? [{ program_id, version: agreement.version }] : [],
    ),
  };
}

type ApplicationFieldsProps = { offers: Offer[]; answers: Answers; onChange: (answers: Answers) => void };

/** The questions of the join page, and the agreement to accept. */
export function ApplicationFields({ offers, answers, onChange }: ApplicationFieldsProps) {
  return (
    <>
      {offers.flatMap(({ program_id: id, questions }) =>
        questions.map((question) => (
          <QuestionField
            key={`${id} ${question.label}`}
            question={question}
            value={answers[question.label] ?? ''}
            onChange={(answer) => onChange({ ...answers, [question.label]: answer })}
          />
        )),
      )}
      {offers.map((offer) => offer.agreement && <Agreement key={offer.program_id} offer={offer} />)}
    </>
  );
}

type QuestionFieldProps = { question: Offer['questions'][number]; value: string; onChange: (answer: string) => void };

function QuestionField({ question, value, onChange }: QuestionFieldProps) {
  const { label, kind, required = false, options = [] } = question;
  const field = { label: required ? label : `${label} (optional)`, required, value };
  if (kind === 'choice') {
    const choices = options.map((option) => [option, option] as const);
    return <SelectField {...field} options={[['', 'Select an answer'], ...choices]} onValueChange={onChange} />;
  }
  const shared = {
    ...field,
    maxLength: MAX_LENGTH[kind],
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return kind === 'text' ? <TextField {...shared} /> : <TextArea {...shared} rows={3} />;
}

function Agreement({ offer: { name, agreement } }: { offer: Offer }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">Agreement with {name}</p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label={`Agreement with ${name}`}
        className="max-h-48 overflow-y-auto rounded-lg border border-line bg-sunken px-3 py-2 text-caption whitespace-pre-line"
      >
        {agreement?.text}
      </section>
      <label className="mt-2 flex items-start gap-2 text-sm">
        <input type="checkbox" required className="mt-1 accent-accent" />
        <span>I accept the agreement with {name}</span>
      </label>
    </div>
  );
}
