import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../package-check/command.ts';
import type { Generate } from './client-suite.ts';

const program = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/program/partner"
	"github.com/google/uuid"
)

func said[Reply interface{ StatusCode() int }](operation string, reply Reply, err error) {
	if err != nil {
		fmt.Println(operation, err)
		return
	}
	fmt.Println(operation, reply.StatusCode())
}

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("API_KEY"))
		return nil
	}
	api, err := partner.NewClientWithResponses(os.Getenv("MOCK_URL"), partner.WithRequestEditorFn(key))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	conversation, label := uuid.MustParse(os.Getenv("CONVERSATION")), uuid.MustParse(os.Getenv("LABEL"))
	site, client := os.Getenv("SITE"), os.Getenv("CLIENT")
	name := "a"

	health, err := api.GetHealthWithResponse(ctx)
	said("getHealth", health, err)
	labels, err := api.ListLabelsWithResponse(ctx)
	said("listLabels", labels, err)
	record, err := api.GetConversationWithResponse(ctx, conversation)
	said("getConversation", record, err)
	side, err := api.GetConversationContextWithResponse(ctx, conversation)
	said("getConversationContext", side, err)
	applied, err := api.ApplyConversationLabelWithResponse(ctx, conversation, label)
	said("applyConversationLabel", applied, err)
	removed, err := api.RemoveConversationLabelWithResponse(ctx, conversation, label)
	said("removeConversationLabel", removed, err)
	details, err := api.GetSiteWithResponse(ctx, site)
	said("getSite", details, err)
	onSite, err := api.ApplySiteLabelWithResponse(ctx, site, label)
	said("applySiteLabel", onSite, err)
	offSite, err := api.RemoveSiteLabelWithResponse(ctx, site, label)
	said("removeSiteLabel", offSite, err)
	onLink, err := api.ApplyClientSiteLabelWithResponse(ctx, client, site, label)
	said("applyClientSiteLabel", onLink, err)
	offLink, err := api.RemoveClientSiteLabelWithResponse(ctx, client, site, label)
	said("removeClientSiteLabel", offLink, err)
	person, err := api.GetClientWithResponse(ctx, client)
	said("getClient", person, err)
	upload, err := api.StartSiteFileUploadWithResponse(ctx, site, partner.StartUploadRequest{ContentType: "text/plain"})
	said("startSiteFileUpload", upload, err)
	file := partner.RegisterFileRequest{FileKey: uuid.MustParse(os.Getenv("FILE_KEY")), Name: &name}
	registered, err := api.RegisterSiteFileWithResponse(ctx, site, file)
	said("registerSiteFile", registered, err)
}
`;

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.6.0';

export const go: Generate = async (folder, { document, env }) => {
  const at = { cwd: folder, env: { ...process.env, ...env, GOBIN: folder }, timeout: 900_000 };
  mkdirSync(join(folder, 'partner'), { recursive: true });
  if (!existsSync(join(folder, 'oapi-codegen'))) await runCommand('go', ['install', generator], at);
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'main.go'), program);
  if (!existsSync(join(folder, 'go.mod'))) await runCommand('go', ['mod', 'init', 'example.com/program'], at);
  const generate = ['-generate', 'types,client', '-package', 'partner', '-o', 'partner/partner.go', 'openapi.json'];
  await runCommand(join(folder, 'oapi-codegen'), generate, at);
  await runCommand('go', ['mod', 'tidy'], at);
  return runCommand('go', ['run', '.'], at);
};
