import { expect, test } from 'partnerkit/playwright';

const page = (url: string, apiKey: string, conversation: string) => `
  <h1>Labels</h1><ul></ul><p role="status"></p>
  <script type="module">
    const reply = await fetch('${url}/v1/conversation/${conversation}/context', { headers: { 'x-api-key': '${apiKey}' } });
    document.querySelector('[role=status]').textContent = reply.status;
    const { labels = [] } = await reply.json();
    document.querySelector('ul').append(...labels.map((label) => {
      const item = document.createElement('li');
      item.textContent = label;
      return item;
    }));
  </script>`;
const conversation = 'c0000001-0000-4000-8000-000000000001';

test('a page shows the labels of a conversation', async ({ page: tab, partner }) => {
  await tab.setContent(page(partner.url, partner.apiKey, partner.id(conversation)));
  await expect(tab.getByRole('listitem')).toHaveText(['vip', 'warranty']);
});

test('and what the API answers when it is down', async ({ page: tab, partner, partnerMock }) => {
  partnerMock.faults.add({ tenant: partner.name, operationId: 'getConversationContext', reply: { status: 503 } });
  await tab.setContent(page(partner.url, partner.apiKey, partner.id(conversation)));
  await expect(tab.getByRole('status')).toHaveText('503');
});
