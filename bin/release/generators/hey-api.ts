import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generate } from './input.ts';
import { checkAndRun, npmTools } from './npm.ts';

const program = `
import { client } from './client/client.gen.ts';
import * as api from './client/sdk.gen.ts';

const { MOCK_URL = '', API_KEY = '', CONVERSATION = '', SITE = '', CLIENT = '', LABEL = '', FILE_KEY = '' } = process.env;
client.setConfig({ baseUrl: MOCK_URL, auth: API_KEY });
const said = (operation: string, { response }: { response?: Response }) => console.log(operation, response?.status);

const conversation = { path: { id: CONVERSATION } };
const onConversation = { path: { id: CONVERSATION, labelId: LABEL } };
const site = { path: { id: SITE } };
const onSite = { path: { id: SITE, labelId: LABEL } };
const onLink = { path: { clientId: CLIENT, siteId: SITE, labelId: LABEL } };

said('getHealth', await api.getHealth());
said('listLabels', await api.listLabels());
said('getConversation', await api.getConversation(conversation));
said('getConversationContext', await api.getConversationContext(conversation));
said('applyConversationLabel', await api.applyConversationLabel(onConversation));
said('removeConversationLabel', await api.removeConversationLabel(onConversation));
said('getSite', await api.getSite(site));
said('applySiteLabel', await api.applySiteLabel(onSite));
said('removeSiteLabel', await api.removeSiteLabel(onSite));
said('applyClientSiteLabel', await api.applyClientSiteLabel(onLink));
said('removeClientSiteLabel', await api.removeClientSiteLabel(onLink));
said('getClient', await api.getClient({ path: { id: CLIENT } }));
said('startSiteFileUpload', await api.startSiteFileUpload({ ...site, body: { contentType: 'text/plain' } }));
said('registerSiteFile', await api.registerSiteFile({ ...site, body: { fileKey: FILE_KEY, name: 'a' } }));
`;

export const heyApi: Generate = async (folder, { document, env }) => {
  const run = await npmTools(folder, ['@hey-api/openapi-ts@0.95', 'typescript@5', 'tsx@4', '@types/node@24'], env);
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'program.ts'), program);
  await run('openapi-ts', '-i', 'openapi.json', '-o', 'client');
  return checkAndRun(run, 'program.ts');
};
