import { type Answer, errors, QUESTION_KINDS, type Question } from '@svc/contract';

/**
 * The answers to the questions, in their order, without blank ones and without answers to other questions. Refuses a missing
 * answer to a required question, and an answer that the question does not allow.
 */
export function checkAnswers(questions: Question[], answers: Answer[]): Answer[] {
  const byQuestion = new Map(answers.map(({ question, answer }) => [question, answer.trim()]));
  return questions.flatMap(({ label, kind, required, options }) => {
    const answer = byQuestion.get(label) ?? '';
    if (answer === '' && required) throw errors.answerRequired(label);
    if (answer === '') return [];
    const { maxChars } = QUESTION_KINDS[kind];
    if (answer.length > maxChars) throw errors.answerTooLong(label, maxChars);
    if (kind === 'choice' && !options.includes(answer)) throw errors.answerNotOffered(label);
    return [{ question: label, answer }];
  });
}
