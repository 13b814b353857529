// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';

interface Samples {
  readonly made: unknown;
  readonly named: Readonly<Record<string, unknown>>;
}

/** Bodies for the success reply of each operation: one that keeps its schema, and the examples of the document by name. */
export const samples: Readonly<Record<OperationId, Samples>> = {
  "getHealth": {
    "made": {
      "status": "ok"
    },
    "named": {
      "typical": {
        "status": "ok"
      }
    }
  },
  "listLabels": {
    "made": {
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "labels": [
          {
            "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
            "name": "follow-up"
          },
          {
            "id": "9b1d7e42-0c3f-4f58-8e6a-7d2c5b9a1f04",
            "name": "warranty"
          }
        ]
      }
    }
  },
  "getConversation": {
    "made": {
      "id": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
      "friendlyId": "string",
      "subject": "string",
      "status": "string",
      "type": "string",
      "urgency": "string",
      "createdAt": "2019-08-24T14:15:22Z",
      "updatedAt": "2019-08-24T14:15:22Z"
    },
    "named": {
      "typical": {
        "id": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
        "friendlyId": "CNV-1042",
        "subject": "No heating on the second floor",
        "status": "open",
        "type": "service",
        "urgency": "high",
        "createdAt": "2026-03-02T08:14:00Z",
        "updatedAt": "2026-03-02T09:41:27Z"
      }
    }
  },
  "getConversationContext": {
    "made": {
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
    "named": {
      "typical": {
        "subject": "No heating on the second floor",
        "messages": [
          {
            "author": "Dana Whitfield",
            "role": "client",
            "createdAt": "2026-03-02T08:14:00Z",
            "text": "The radiators upstairs have been cold since Sunday.",
            "isInternal": false,
            "rawBody": "<p>The radiators upstairs have been cold since Sunday.</p>",
            "attachments": [
              {
                "type": "audio",
                "title": "Voicemail",
                "content": "Hello, this is Dana, the heating is out again.",
                "transcriptionId": "trn-2207"
              }
            ]
          }
        ],
        "status": "open",
        "type": "service",
        "urgency": "high",
        "labels": [
          "follow-up",
          "warranty"
        ],
        "requester": "Dana Whitfield",
        "participants": {
          "agents": [
            "Sam Ortega"
          ],
          "clients": [
            {
              "name": "Dana Whitfield",
              "primaryPhoneNumber": "+1 555 0142",
              "primaryEmail": "dana@whitfield.test"
            }
          ]
        },
        "sites": [
          {
            "address": "18 Harbour Row, Portland, ME 04101",
            "serviceLevel": "gold",
            "id": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
            "associatedConversations": [
              {
                "friendlyId": "CNV-0977",
                "subject": "Boiler pressure drops overnight",
                "status": "closed",
                "statusLastUpdatedAt": "2026-01-19T15:02:11Z",
                "issue": "Slow leak at the expansion vessel",
                "resolution": "Vessel replaced",
                "shortSummary": "Pressure loss traced to the expansion vessel and mended."
              }
            ]
          }
        ]
      }
    }
  },
  "applyConversationLabel": {
    "made": {
      "conversationId": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "conversationId": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
        "labels": [
          {
            "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
            "name": "follow-up"
          }
        ]
      }
    }
  },
  "removeConversationLabel": {
    "made": {
      "conversationId": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "conversationId": "3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73",
        "labels": [
          {
            "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
            "name": "follow-up"
          }
        ]
      }
    }
  },
  "getSite": {
    "made": {
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
    "named": {
      "typical": {
        "id": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "address1": "18 Harbour Row",
        "city": "Portland",
        "state": "ME",
        "zip": "04101",
        "primaryClientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "createdAt": "2024-11-05T10:00:00Z",
        "sla": 4,
        "isMonitored": true,
        "clients": [
          {
            "id": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
            "name": "Dana Whitfield",
            "firstName": "Dana",
            "lastName": "Whitfield",
            "createdAt": "2024-11-05T10:00:00Z",
            "isPrimary": true
          }
        ]
      }
    }
  },
  "applySiteLabel": {
    "made": {
      "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "siteId": "10042",
        "labels": [
          {
            "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
            "name": "follow-up"
          }
        ]
      }
    }
  },
  "removeSiteLabel": {
    "made": {
      "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "siteId": "10042",
        "labels": [
          {
            "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
            "name": "follow-up"
          }
        ]
      }
    }
  },
  "applyClientSiteLabel": {
    "made": {
      "clientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
      "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "clientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "labels": [
          {
            "id": "9b1d7e42-0c3f-4f58-8e6a-7d2c5b9a1f04",
            "name": "warranty"
          }
        ]
      }
    }
  },
  "removeClientSiteLabel": {
    "made": {
      "clientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
      "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "labels": [
        {
          "id": "5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60",
          "name": "string"
        }
      ]
    },
    "named": {
      "typical": {
        "clientId": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "labels": [
          {
            "id": "9b1d7e42-0c3f-4f58-8e6a-7d2c5b9a1f04",
            "name": "warranty"
          }
        ]
      }
    }
  },
  "startSiteFileUpload": {
    "made": {
      "fileKey": "c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27",
      "uploadUrl": "string",
      "uploadUrlExpiresAt": "2019-08-24T14:15:22Z"
    },
    "named": {
      "typical": {
        "fileKey": "c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27",
        "uploadUrl": "http://127.0.0.1:4010/storage/c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27?X-Amz-Expires=300",
        "uploadUrlExpiresAt": "2026-03-02T09:46:27Z"
      }
    }
  },
  "registerSiteFile": {
    "made": {
      "fileKey": "c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27",
      "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "name": "string",
      "contentType": "string",
      "size": 0,
      "createdAt": "2019-08-24T14:15:22Z"
    },
    "named": {
      "typical": {
        "fileKey": "c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27",
        "siteId": "ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "name": "boiler-plate.jpg",
        "contentType": "image/jpeg",
        "size": 482113,
        "createdAt": "2026-03-02T09:42:03Z"
      }
    }
  },
  "getClient": {
    "made": {
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
    },
    "named": {
      "typical": {
        "id": "ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "name": "Dana Whitfield",
        "firstName": "Dana",
        "lastName": "Whitfield",
        "marketingOptOut": false,
        "emails": [
          {
            "id": "0d7f4c19-6a52-4b8e-b3f1-9c2e5a7d8064",
            "value": "dana@whitfield.test",
            "label": "home",
            "isPrimary": true
          }
        ],
        "phoneNumbers": [
          {
            "id": "e4b9a3d6-18c7-4f2d-9e05-6b7c1d8f2a39",
            "value": "+1 555 0142",
            "label": "mobile",
            "isPrimary": true,
            "ext": 12
          }
        ],
        "createdAt": "2024-11-05T10:00:00Z",
        "updatedAt": "2026-01-19T15:02:11Z"
      }
    }
  }
};
