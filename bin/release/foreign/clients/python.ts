import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipTools } from '../tools.ts';
import type { Generate } from './client-suite.ts';

const program = `
import os, sys
sys.path.insert(0, "client")
from uuid import UUID
from partner_api_client import AuthenticatedClient
from partner_api_client.api.clients import get_client
from partner_api_client.api.conversations import get_conversation, get_conversation_context
from partner_api_client.api.files import register_site_file, start_site_file_upload
from partner_api_client.api.labels import (
    apply_client_site_label, apply_conversation_label, apply_site_label, list_labels,
    remove_client_site_label, remove_conversation_label, remove_site_label,
)
from partner_api_client.api.service import get_health
from partner_api_client.api.sites import get_site
from partner_api_client.models import RegisterFileRequest, StartUploadRequest

client = AuthenticatedClient(
    base_url=os.environ["MOCK_URL"], token=os.environ["API_KEY"], prefix="", auth_header_name="x-api-key"
)
conversation, label, file_key = (UUID(os.environ[name]) for name in ("CONVERSATION", "LABEL", "FILE_KEY"))
site, customer = os.environ["SITE"], os.environ["CLIENT"]

def said(operation, module, *args, **body):
    reply = module.sync_detailed(*args, client=client, **body)
    # What cannot be read as the document says is None.
    print(operation, reply.status_code.value if reply.parsed is not None else "not understood")

said("getHealth", get_health)
said("listLabels", list_labels)
said("getConversation", get_conversation, conversation)
said("getConversationContext", get_conversation_context, conversation)
said("applyConversationLabel", apply_conversation_label, conversation, label)
said("removeConversationLabel", remove_conversation_label, conversation, label)
said("getSite", get_site, site)
said("applySiteLabel", apply_site_label, site, label)
said("removeSiteLabel", remove_site_label, site, label)
said("applyClientSiteLabel", apply_client_site_label, customer, site, label)
said("removeClientSiteLabel", remove_client_site_label, customer, site, label)
said("getClient", get_client, customer)
said("startSiteFileUpload", start_site_file_upload, site, body=StartUploadRequest(content_type="text/plain"))
said("registerSiteFile", register_site_file, site, body=RegisterFileRequest(file_key=file_key, name="a"))
`;

export const python: Generate = async (folder, { document, env }) => {
  const run = await pipTools(folder, ['openapi-python-client==0.29.1'], { env });
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'program.py'), program);
  const args = ['generate', '--path', 'openapi.json', '--output-path', 'client', '--overwrite'];
  await run('openapi-python-client', ...args);
  return run('python', 'program.py');
};
