import { expect, it } from 'vitest';
import { atOnce, statusCounts, useTwoNodes } from '../../../test/two-nodes.ts';

const nodes = useTwoNodes();
const [service] = nodes;

it('of fifteen synthetic chains at once, on two nodes, ten run and five are 429; they share one fixture', async () => {
  const { apiKey, program } = await service.program();
  const answers = await atOnce(nodes, 15, (node) =>
    node.call('POST', '/api/v1/cli/test-event', { key: apiKey, body: { type: 'chain' } }),
  );
  expect(statusCounts(answers)).toEqual({ 200: 10, 429: 5 });
  for (const { status, body } of answers) if (status === 200) expect(body.data.attributed).toBe(true);
  const sales = await service.sql('select 1 from sales where program_id = $1 and is_test', [program.id]);
  expect(sales).toHaveLength(10);
  expect(await service.sql('select 1 from links where program_id = $1 and is_test', [program.id])).toHaveLength(1);
});
