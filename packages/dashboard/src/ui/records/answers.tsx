type AnswersProps = { answers: readonly { question: string; answer: string }[] };

/** What an applicant answered on a join page. */
export function Answers({ answers }: AnswersProps) {
  return (
    <dl className="space-y-3 text-sm">
      {answers.map(({ question, answer }) => (
        <div key={question}>
          <dt className="text-quiet">{question}</dt>
          <dd className="break-words whitespace-pre-line">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
