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

test('a page shows the labels of a conversation', async ({ page: tab, partner }) => {
  await tab.setContent(page(partner.url, partner.apiKey, partner.conversations.open));
  await expect(tab.getByRole('listitem')).toHaveText(['vip', 'warranty']);
});

test('and what the API answers when it is down', async ({ page: tab, partner }) => {
  await partner.faults.add({ operationId: 'getConversationContext', reply: { status: 503 } });
  await tab.setContent(page(partner.url, partner.apiKey, partner.conversations.open));
  await expect(tab.getByRole('status')).toHaveText('503');
  await partner.faults.verifyUsed();
});
