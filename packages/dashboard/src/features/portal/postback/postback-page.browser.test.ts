import { Receiver } from '@svc/testkit/service/receiver.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../../test/stage.ts';

const stage = startStage({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = new Receiver();
beforeAll(() => receiver.open());
afterAll(() => receiver.close());

describeInBrowser('a partner’s postback', () => {
  it('is set up with a preview, tested, fixed, called after a sale, and deleted', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    const preview = jane.page.getByRole('region', { name: 'Preview' });
    const test = jane.page.getByRole('region', { name: 'Test' });

    await jane.visit(`/app/portal/${brand.program.id}/overview`, 'Overview');
    await jane.page.getByRole('link', { name: 'Postback' }).click();
    await jane.page.getByRole('heading', { level: 1, name: 'Postback' }).waitFor();
    await preview.getByText('Enter a URL to see what is called.').waitFor();

    await jane.fill('URL', receiver.url('/broken?id='));
    await jane.press('Insert {transaction_id}');
    await preview.getByText(receiver.url('/broken?id=order-1001'), { exact: true }).waitFor();
    await jane.sees('Reversals are not reported at all.');
    // Typing goes on where the macro ended.
    await jane.page.keyboard.type('&what={wat}');
    await preview.getByText('Unknown macro: {wat}').waitFor();
    await jane.press('Save postback');
    await jane.page.getByRole('alert').getByText('Unknown macro: {wat}').waitFor();
    expect(await jane.page.getByLabel('URL', { exact: true }).getAttribute('aria-invalid')).toBe('true');

    await jane.fill('URL', receiver.url('/broken?id={transaction_id}&what='));
    await jane.press('Insert {event}');
    await preview.getByText(receiver.url('/broken?id=order-1001&what=created'), { exact: true }).waitFor();
    await jane.press('Save postback');
    await jane.sees('Postback saved');
    await jane.sees('No calls yet');

    receiver.answer('/broken?id=order-1001&what=test', { status: 500 });
    await jane.press('Send a test');
    await test.getByText('The endpoint answered with status 500.').waitFor();
    await jane.row('/broken?id=order-1001&what=test').getByText('Failed', { exact: true }).waitFor();
    expect(await accessibilityProblems(jane.page)).toEqual([]);

    await jane.fill('URL', receiver.url('/works?id={transaction_id}&what={event}'));
    await jane.select('Method', 'POST, without a body');
    await jane.press('Save changes');
    await jane.press('Send a test');
    await test.getByText('Your server answered with status 204.').waitFor();

    const { transactionId } = await sold(stage.service, brand);
    const call = `/works?id=${transactionId}&what=created`;
    expect(await receiver.until(call, 1)).toMatchObject([{ method: 'POST', body: '' }]);
    await jane.row(call).getByText('Arrived (204)').waitFor();

    await jane.press('Turn off');
    await jane.sees('You turned it off.');
    await jane.press('Turn on again');
    await jane.sees('Postback turned on');
    await jane.press('Delete postback');
    await jane.press('Delete', jane.dialog('Delete this postback?'));
    await jane.sees('Postback deleted');
    await test.waitFor({ state: 'detached' });
    expect(jane.faults).toEqual([]);
  });
});
