// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';

/** A body for the success reply of each operation, which keeps its schema. */
export const samples: Readonly<Record<OperationId, unknown>> = {
  "getHealth": {
    "status": "ok"
  },
  "listLabels": {
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "getConversation": {
    "id": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
    "friendlyId": "string",
    "subject": "string",
    "status": "string",
    "type": "string",
    "urgency": "string",
    "createdAt": "2019-08-24T14:15:22Z",
    "updatedAt": "2019-08-24T14:15:22Z"
  },
  "getConversationContext": {
    "subject": "string",
    "messages": [
      {
        "author": "string",
        "role": "string",
        "createdAt": "string",
        "text": "string",
        "isInternal": true,
        "rawBody": "string",
        "attachments": [
          {
            "type": "string",
            "title": "string",
            "content": "string",
            "transcriptionId": "string"
          }
        ]
      }
    ],
    "status": "string",
    "type": "string",
    "urgency": "string",
    "labels": [
      "string"
    ],
    "requester": "string",
    "participants": {
      "agents": [
        "string"
      ],
      "clients": [
        {
          "name": "string",
          "primaryPhoneNumber": "string",
          "primaryEmail": "string"
        }
      ]
    },
    "sites": [
      {
        "address": "string",
        "serviceLevel": "string",
        "id": "string",
        "associatedConversations": [
          {
            "friendlyId": "string",
            "subject": "string",
            "status": "string",
            "statusLastUpdatedAt": "string",
            "issue": "string",
            "resolution": "string",
            "shortSummary": "string"
          }
        ]
      }
    ]
  },
  "applyConversationLabel": {
    "conversationId": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "removeConversationLabel": {
    "conversationId": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "getSite": {
    "id": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "address1": "string",
    "address2": "string",
    "city": "string",
    "state": "string",
    "zip": "string",
    "businessName": "string",
    "brandId": "string",
    "primaryClientId": "string",
    "createdAt": "2019-08-24T14:15:22Z",
    "updatedAt": "2019-08-24T14:15:22Z",
    "sla": 0,
    "isMonitored": true,
    "clients": [
      {
        "isPrimary": true,
        "id": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "name": "string",
        "firstName": "string",
        "lastName": "string",
        "partnerName": "string",
        "marketingOptOut": true,
        "emails": [
          {
            "id": "497f6eca-6276-4993-bfeb-53cbbbba6f08",
            "value": "string",
            "label": "string",
            "isPrimary": true
          }
        ],
        "phoneNumbers": [
          {
            "id": "497f6eca-6276-4993-bfeb-53cbbbba6f08",
            "value": "string",
            "label": "string",
            "isPrimary": true,
            "ext": 0
          }
        ],
        "createdAt": "2019-08-24T14:15:22Z",
        "updatedAt": "2019-08-24T14:15:22Z"
      }
    ]
  },
  "applySiteLabel": {
    "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "removeSiteLabel": {
    "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "applyClientSiteLabel": {
    "clientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "removeClientSiteLabel": {
    "clientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "labels": [
      {
        "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
        "name": "string"
      }
    ]
  },
  "startSiteFileUpload": {
    "fileKey": "c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27",
    "uploadUrl": "string",
    "uploadUrlExpiresAt": "2019-08-24T14:15:22Z"
  },
  "registerSiteFile": {
    "fileKey": "c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27",
    "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "name": "string",
    "contentType": "string",
    "size": 0,
    "createdAt": "2019-08-24T14:15:22Z"
  },
  "getClient": {
    "id": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "name": "string",
    "firstName": "string",
    "lastName": "string",
    "partnerName": "string",
    "marketingOptOut": true,
    "emails": [
      {
        "id": "497f6eca-6276-4993-bfeb-53cbbbba6f08",
        "value": "string",
        "label": "string",
        "isPrimary": true
      }
    ],
    "phoneNumbers": [
      {
        "id": "497f6eca-6276-4993-bfeb-53cbbbba6f08",
        "value": "string",
        "label": "string",
        "isPrimary": true,
        "ext": 0
      }
    ],
    "createdAt": "2019-08-24T14:15:22Z",
    "updatedAt": "2019-08-24T14:15:22Z"
  }
};
