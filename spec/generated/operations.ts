// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
import type { RuleId } from './rules.ts';

/** All known scopes of keys. */
export const scopes = [
  "conversation:read",
  "conversation:write",
  "client:read",
  "client:write",
  "site:read",
  "site:write",
  "siteFile:write",
  "user:read"
] as const;
/** The name of a scope. The specification leaves the list open, so a deployment may have others. */
export type Scope = (typeof scopes)[number] | (string & {});

/** Where a statement of the contract comes from. */
export type Provenance = 'documented' | 'reference' | 'assumed';

/** The name of an operation in the contract. */
export type OperationId =
  | 'getHealth'
  | 'listLabels'
  | 'getConversation'
  | 'getConversationContext'
  | 'applyConversationLabel'
  | 'removeConversationLabel'
  | 'getSite'
  | 'applySiteLabel'
  | 'removeSiteLabel'
  | 'applyClientSiteLabel'
  | 'removeClientSiteLabel'
  | 'startSiteFileUpload'
  | 'registerSiteFile'
  | 'getClient';

export interface Operation {
  readonly id: OperationId;
  /** In upper case. */
  readonly method: string;
  /** A template: `{name}` stands for one path segment. */
  readonly path: string;
  /** A key needs all of them. */
  readonly scopes: readonly Scope[];
  /** The rule that demands its success. */
  readonly rule: RuleId;
  /** The status of the success reply. */
  readonly success: number;
  /** All declared statuses in ascending order, including the success. */
  readonly statuses: readonly number[];
  readonly tag: string;
  readonly summary: string;
  /** In the order of the path. */
  readonly pathParameters: readonly string[];
  /** Whether a JSON body is required. If not, a body is ignored. */
  readonly hasBody: boolean;
  readonly provenance: {
    readonly method: Provenance;
    readonly path: Provenance;
    readonly scopes: Provenance;
    /** Of the success status. */
    readonly success: Provenance;
    /** Of the body of the success reply. */
    readonly body: Provenance;
    readonly statuses: Readonly<Record<number, Provenance>>;
  };
}

export const operations: Readonly<Record<OperationId, Operation>> = {
  "getHealth": {
    "id": "getHealth",
    "method": "GET",
    "path": "/v1/health",
    "scopes": [],
    "rule": "service/named-endpoints-exist",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      413,
      429,
      500,
      503
    ],
    "tag": "service",
    "summary": "Check whether the service is up",
    "pathParameters": [],
    "hasBody": false,
    "provenance": {
      "method": "documented",
      "path": "documented",
      "scopes": "reference",
      "body": "reference",
      "success": "reference",
      "statuses": {
        "200": "reference",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "413": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "listLabels": {
    "id": "listLabels",
    "method": "GET",
    "path": "/v1/labels",
    "scopes": [],
    "rule": "labels/listing-gives-public-labels",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      413,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "List the public labels",
    "pathParameters": [],
    "hasBody": false,
    "provenance": {
      "method": "documented",
      "path": "documented",
      "scopes": "assumed",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "413": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "getConversation": {
    "id": "getConversation",
    "method": "GET",
    "path": "/v1/conversation/{id}",
    "scopes": [
      "conversation:read"
    ],
    "rule": "service/named-endpoints-exist",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "conversations",
    "summary": "Get a conversation",
    "pathParameters": [
      "id"
    ],
    "hasBody": false,
    "provenance": {
      "method": "documented",
      "path": "documented",
      "scopes": "reference",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "getConversationContext": {
    "id": "getConversationContext",
    "method": "GET",
    "path": "/v1/conversation/{id}/context",
    "scopes": [
      "conversation:read"
    ],
    "rule": "context/get-answers-context",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "conversations",
    "summary": "Get the context of a conversation",
    "pathParameters": [
      "id"
    ],
    "hasBody": false,
    "provenance": {
      "method": "documented",
      "path": "documented",
      "scopes": "documented",
      "body": "documented",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "applyConversationLabel": {
    "id": "applyConversationLabel",
    "method": "PUT",
    "path": "/v1/conversation/{id}/label/{labelId}",
    "scopes": [
      "conversation:write"
    ],
    "rule": "labels/conversation-apply",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "Apply a label to a conversation",
    "pathParameters": [
      "id",
      "labelId"
    ],
    "hasBody": false,
    "provenance": {
      "method": "assumed",
      "path": "assumed",
      "scopes": "documented",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "removeConversationLabel": {
    "id": "removeConversationLabel",
    "method": "DELETE",
    "path": "/v1/conversation/{id}/label/{labelId}",
    "scopes": [
      "conversation:write"
    ],
    "rule": "labels/conversation-remove",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "Remove a label from a conversation",
    "pathParameters": [
      "id",
      "labelId"
    ],
    "hasBody": false,
    "provenance": {
      "method": "assumed",
      "path": "assumed",
      "scopes": "documented",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "getSite": {
    "id": "getSite",
    "method": "GET",
    "path": "/v1/site/{id}",
    "scopes": [
      "site:read"
    ],
    "rule": "service/reference-endpoints",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "sites",
    "summary": "Get a site",
    "pathParameters": [
      "id"
    ],
    "hasBody": false,
    "provenance": {
      "method": "reference",
      "path": "reference",
      "scopes": "reference",
      "body": "reference",
      "success": "reference",
      "statuses": {
        "200": "reference",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "applySiteLabel": {
    "id": "applySiteLabel",
    "method": "PUT",
    "path": "/v1/site/{id}/label/{labelId}",
    "scopes": [
      "site:write"
    ],
    "rule": "labels/site-apply",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "Apply a label to a site",
    "pathParameters": [
      "id",
      "labelId"
    ],
    "hasBody": false,
    "provenance": {
      "method": "documented",
      "path": "assumed",
      "scopes": "assumed",
      "body": "documented",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "removeSiteLabel": {
    "id": "removeSiteLabel",
    "method": "DELETE",
    "path": "/v1/site/{id}/label/{labelId}",
    "scopes": [
      "site:write"
    ],
    "rule": "labels/remove-removes",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "Remove a label from a site",
    "pathParameters": [
      "id",
      "labelId"
    ],
    "hasBody": false,
    "provenance": {
      "method": "assumed",
      "path": "assumed",
      "scopes": "assumed",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "applyClientSiteLabel": {
    "id": "applyClientSiteLabel",
    "method": "PUT",
    "path": "/v1/client/{clientId}/site/{siteId}/label/{labelId}",
    "scopes": [
      "client:write",
      "site:write"
    ],
    "rule": "labels/apply-adds",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "Apply a label to a client-site link",
    "pathParameters": [
      "clientId",
      "siteId",
      "labelId"
    ],
    "hasBody": false,
    "provenance": {
      "method": "assumed",
      "path": "assumed",
      "scopes": "assumed",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "removeClientSiteLabel": {
    "id": "removeClientSiteLabel",
    "method": "DELETE",
    "path": "/v1/client/{clientId}/site/{siteId}/label/{labelId}",
    "scopes": [
      "client:write",
      "site:write"
    ],
    "rule": "labels/link-remove",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "labels",
    "summary": "Remove a label from a client-site link",
    "pathParameters": [
      "clientId",
      "siteId",
      "labelId"
    ],
    "hasBody": false,
    "provenance": {
      "method": "assumed",
      "path": "assumed",
      "scopes": "documented",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "200": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "startSiteFileUpload": {
    "id": "startSiteFileUpload",
    "method": "POST",
    "path": "/v1/site/{id}/file/upload-url",
    "scopes": [
      "siteFile:write"
    ],
    "rule": "upload/start-is-201",
    "success": 201,
    "statuses": [
      201,
      400,
      401,
      403,
      404,
      413,
      415,
      422,
      429,
      500,
      503
    ],
    "tag": "files",
    "summary": "Start the upload of a site file",
    "pathParameters": [
      "id"
    ],
    "hasBody": true,
    "provenance": {
      "method": "documented",
      "path": "documented",
      "scopes": "documented",
      "body": "documented",
      "success": "documented",
      "statuses": {
        "201": "documented",
        "400": "documented",
        "401": "documented",
        "403": "documented",
        "404": "documented",
        "413": "assumed",
        "415": "assumed",
        "422": "documented",
        "429": "documented",
        "500": "documented",
        "503": "documented"
      }
    }
  },
  "registerSiteFile": {
    "id": "registerSiteFile",
    "method": "POST",
    "path": "/v1/site/{id}/file",
    "scopes": [
      "siteFile:write"
    ],
    "rule": "upload/register-takes-file-key",
    "success": 201,
    "statuses": [
      201,
      400,
      401,
      403,
      404,
      409,
      413,
      415,
      422,
      429,
      500,
      503
    ],
    "tag": "files",
    "summary": "Register an uploaded site file",
    "pathParameters": [
      "id"
    ],
    "hasBody": true,
    "provenance": {
      "method": "documented",
      "path": "documented",
      "scopes": "assumed",
      "body": "assumed",
      "success": "assumed",
      "statuses": {
        "201": "assumed",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "409": "assumed",
        "413": "assumed",
        "415": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  },
  "getClient": {
    "id": "getClient",
    "method": "GET",
    "path": "/v1/client/{id}",
    "scopes": [
      "client:read"
    ],
    "rule": "service/reference-endpoints",
    "success": 200,
    "statuses": [
      200,
      400,
      401,
      403,
      404,
      413,
      422,
      429,
      500,
      503
    ],
    "tag": "clients",
    "summary": "Get a client",
    "pathParameters": [
      "id"
    ],
    "hasBody": false,
    "provenance": {
      "method": "reference",
      "path": "reference",
      "scopes": "reference",
      "body": "reference",
      "success": "reference",
      "statuses": {
        "200": "reference",
        "400": "assumed",
        "401": "assumed",
        "403": "documented",
        "404": "assumed",
        "413": "assumed",
        "422": "assumed",
        "429": "documented",
        "500": "assumed",
        "503": "documented"
      }
    }
  }
};
