import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generate } from './input.ts';
import { checkAndRun, npmTools } from './npm.ts';

const program = `
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const { MOCK_URL = '', API_KEY = '', CONVERSATION = '', SITE = '', CLIENT = '', LABEL = '', FILE_KEY = '' } = process.env;
const { GET, PUT, POST, DELETE } = createClient<paths>({ baseUrl: MOCK_URL, headers: { 'x-api-key': API_KEY } });
const said = (operation: string, { response }: { response: Response }) => console.log(operation, response.status);

const conversation = { params: { path: { id: CONVERSATION } } };
const onConversation = { params: { path: { id: CONVERSATION, labelId: LABEL } } };
const site = { params: { path: { id: SITE } } };
const onSite = { params: { path: { id: SITE, labelId: LABEL } } };
const onLink = { params: { path: { clientId: CLIENT, siteId: SITE, labelId: LABEL } } };

said('getHealth', await GET('/v1/health'));
said('listLabels', await GET('/v1/labels'));
said('getConversation', await GET('/v1/conversation/{id}', conversation));
said('getConversationContext', await GET('/v1/conversation/{id}/context', conversation));
said('applyConversationLabel', await PUT('/v1/conversation/{id}/label/{labelId}', onConversation));
said('removeConversationLabel', await DELETE('/v1/conversation/{id}/label/{labelId}', onConversation));
said('getSite', await GET('/v1/site/{id}', site));
said('applySiteLabel', await PUT('/v1/site/{id}/label/{labelId}', onSite));
said('removeSiteLabel', await DELETE('/v1/site/{id}/label/{labelId}', onSite));
said('applyClientSiteLabel', await PUT('/v1/client/{clientId}/site/{siteId}/label/{labelId}', onLink));
said('removeClientSiteLabel', await DELETE('/v1/client/{clientId}/site/{siteId}/label/{labelId}', onLink));
said('getClient', await GET('/v1/client/{id}', { params: { path: { id: CLIENT } } }));
said('startSiteFileUpload', await POST('/v1/site/{id}/file/upload-url', { ...site, body: { contentType: 'text/plain' } }));
said('registerSiteFile', await POST('/v1/site/{id}/file', { ...site, body: { fileKey: FILE_KEY, name: 'a' } }));
`;

export const openapiFetch: Generate = async (folder, { document, env }) => {
  const packages = ['openapi-typescript@7', 'openapi-fetch@0.17', 'typescript@5', 'tsx@4', '@types/node@24'];
  const run = await npmTools(folder, packages, env);
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'program.ts'), program);
  await run('openapi-typescript', 'openapi.json', '-o', 'api.d.ts');
  return checkAndRun(run, 'program.ts');
};
