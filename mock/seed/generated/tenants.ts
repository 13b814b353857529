// Generated from fixtures/*.yaml by npm run generate; do not edit.
import type { TenantSeed } from '../schema.ts';

/** The packaged tenants. All mocks of the process share them, so they must not be changed. */
export const defaultSeeds: readonly TenantSeed[] = [
  {
    "tenant": "acme",
    "description": "Acme Home Services, the tenant to build against",
    "keys": [
      {
        "name": "full",
        "secret": "acmefull-fake-secret-0000000000000001",
        "scopes": [
          "conversation:read",
          "conversation:write",
          "client:read",
          "client:write",
          "site:read",
          "site:write",
          "siteFile:write",
          "user:read"
        ]
      },
      {
        "name": "none",
        "secret": "acmenone-fake-secret-0000000000000002",
        "scopes": []
      },
      {
        "name": "revoked",
        "secret": "acmerevk-fake-secret-0000000000000003",
        "scopes": [
          "conversation:read"
        ],
        "revoked": true
      },
      {
        "name": "limits",
        "secret": "acmelimt-fake-secret-0000000000000004",
        "scopes": [
          "conversation:read",
          "site:write"
        ]
      },
      {
        "name": "only-conversation-read",
        "secret": "acmeconr-fake-secret-0000000000000005",
        "scopes": [
          "conversation:read"
        ]
      },
      {
        "name": "only-conversation-write",
        "secret": "acmeconw-fake-secret-0000000000000006",
        "scopes": [
          "conversation:write"
        ]
      },
      {
        "name": "only-client-read",
        "secret": "acmeclir-fake-secret-0000000000000007",
        "scopes": [
          "client:read"
        ]
      },
      {
        "name": "only-client-write",
        "secret": "acmecliw-fake-secret-0000000000000008",
        "scopes": [
          "client:write"
        ]
      },
      {
        "name": "only-site-read",
        "secret": "acmesitr-fake-secret-0000000000000009",
        "scopes": [
          "site:read"
        ]
      },
      {
        "name": "only-site-write",
        "secret": "acmesitw-fake-secret-0000000000000010",
        "scopes": [
          "site:write"
        ]
      },
      {
        "name": "only-site-file-write",
        "secret": "acmefilw-fake-secret-0000000000000011",
        "scopes": [
          "siteFile:write"
        ]
      },
      {
        "name": "only-user-read",
        "secret": "acmeusrr-fake-secret-0000000000000012",
        "scopes": [
          "user:read"
        ]
      },
      {
        "name": "links",
        "secret": "acmelink-fake-secret-0000000000000013",
        "scopes": [
          "client:write",
          "site:write"
        ]
      }
    ],
    "users": [
      {
        "id": "a9e70001-0000-4000-8000-000000000001",
        "name": "Maya Lindqvist",
        "email": "maya@acme.example",
        "role": "dispatcher"
      },
      {
        "id": "a9e70002-0000-4000-8000-000000000002",
        "name": "Tom Okafor",
        "email": "tom@acme.example",
        "role": "dispatcher"
      },
      {
        "id": "a9e70003-0000-4000-8000-000000000003",
        "name": "Priya Raman",
        "email": "priya@acme.example",
        "role": "field supervisor"
      }
    ],
    "labels": [
      {
        "id": "1abe1001-0000-4000-8000-000000000001",
        "name": "vip",
        "visibility": "public"
      },
      {
        "id": "1abe1002-0000-4000-8000-000000000002",
        "name": "after-hours",
        "visibility": "public"
      },
      {
        "id": "1abe1003-0000-4000-8000-000000000003",
        "name": "warranty",
        "visibility": "public"
      },
      {
        "id": "1abe1004-0000-4000-8000-000000000004",
        "name": "estimate-sent",
        "visibility": "public"
      },
      {
        "id": "1abe1005-0000-4000-8000-000000000005",
        "name": "parts-on-order",
        "visibility": "public"
      },
      {
        "id": "1abe1006-0000-4000-8000-000000000006",
        "name": "maintenance-plan",
        "visibility": "public"
      },
      {
        "id": "1abe1007-0000-4000-8000-000000000007",
        "name": "gate code needed",
        "visibility": "public"
      },
      {
        "id": "1abe1008-0000-4000-8000-000000000008",
        "name": "spare",
        "visibility": "public"
      },
      {
        "id": "1abe1009-0000-4000-8000-000000000009",
        "name": "second spare",
        "visibility": "public"
      },
      {
        "id": "1abe9001-0000-4000-8000-000000000901",
        "name": "internal-risk",
        "visibility": "private"
      },
      {
        "id": "1abe9002-0000-4000-8000-000000000902",
        "name": "payment-watchlist",
        "visibility": "private"
      },
      {
        "id": "1abe9003-0000-4000-8000-000000000903",
        "name": "churn-suspect",
        "visibility": "private"
      }
    ],
    "clients": [
      {
        "id": "ovcid-c11e0001-0000-4000-8000-000000000001",
        "name": "Dana Whitfield",
        "firstName": "Dana",
        "lastName": "Whitfield",
        "createdAt": "2024-03-04T15:12:00Z",
        "updatedAt": "2026-10-29T08:41:00Z",
        "marketingOptOut": false,
        "emails": [
          {
            "id": "e3a10001-0000-4000-8000-000000000001",
            "value": "dana.whitfield@mail.example",
            "label": "home",
            "isPrimary": true
          },
          {
            "id": "e3a10002-0000-4000-8000-000000000002",
            "value": "dana@whitfield-studio.example",
            "label": "work",
            "isPrimary": false
          }
        ],
        "phoneNumbers": [
          {
            "id": "f0e00001-0000-4000-8000-000000000001",
            "value": "+15125550101",
            "label": "mobile",
            "isPrimary": true
          }
        ]
      },
      {
        "id": "ovcid-c11e0002-0000-4000-8000-000000000002",
        "name": "Riverside Dental",
        "firstName": "Luis",
        "lastName": "Ortega",
        "createdAt": "2023-11-20T17:05:00Z",
        "updatedAt": "2026-09-14T11:30:00Z",
        "partnerName": "Riverside Dental Group",
        "marketingOptOut": true,
        "emails": [
          {
            "id": "e3a10003-0000-4000-8000-000000000003",
            "value": "office@riverside-dental.example",
            "label": "office",
            "isPrimary": true
          }
        ],
        "phoneNumbers": [
          {
            "id": "f0e00002-0000-4000-8000-000000000002",
            "value": "+15125550122",
            "label": "office",
            "isPrimary": true,
            "ext": 14
          },
          {
            "id": "f0e00003-0000-4000-8000-000000000003",
            "value": "+15125550123",
            "label": "after hours",
            "isPrimary": false
          }
        ]
      },
      {
        "id": "ovcid-c11e0003-0000-4000-8000-000000000003",
        "name": "Harold Benning",
        "firstName": "Harold",
        "lastName": "Benning",
        "createdAt": "2019-06-01T09:00:00Z",
        "phoneNumbers": [
          {
            "id": "f0e00004-0000-4000-8000-000000000004",
            "value": "+15125550145",
            "label": "home",
            "isPrimary": true
          }
        ]
      },
      {
        "id": "ovcid-c11e0004-0000-4000-8000-000000000004",
        "name": "Kim Tran",
        "firstName": "Kim",
        "lastName": "Tran",
        "createdAt": "2026-11-02T10:10:00Z"
      }
    ],
    "sites": [
      {
        "id": "ovaid-517e0001-0000-4000-8000-000000000001",
        "address1": "418 Alder Street",
        "city": "Austin",
        "state": "TX",
        "zip": "78704",
        "brandId": "b4a4d001-0000-4000-8000-000000000001",
        "serviceLevel": "gold",
        "sla": 4,
        "isMonitored": true,
        "createdAt": "2024-03-04T15:15:00Z",
        "updatedAt": "2026-10-30T12:00:00Z",
        "labels": [
          "vip",
          "maintenance-plan",
          "internal-risk"
        ],
        "clients": [
          {
            "client": "ovcid-c11e0001-0000-4000-8000-000000000001",
            "isPrimary": true,
            "labels": [
              "vip",
              "churn-suspect"
            ]
          },
          {
            "client": "ovcid-c11e0003-0000-4000-8000-000000000003",
            "isPrimary": false,
            "labels": [
              "gate code needed"
            ]
          }
        ]
      },
      {
        "id": "ovaid-517e0002-0000-4000-8000-000000000002",
        "address1": "77 Riverside Drive",
        "address2": "Suite 210",
        "city": "Austin",
        "state": "TX",
        "zip": "78741",
        "businessName": "Riverside Dental",
        "brandId": "b4a4d001-0000-4000-8000-000000000001",
        "serviceLevel": "platinum",
        "sla": 2,
        "isMonitored": true,
        "createdAt": "2023-11-20T17:20:00Z",
        "updatedAt": "2026-11-10T07:45:00Z",
        "labels": [
          "after-hours",
          "payment-watchlist"
        ],
        "clients": [
          {
            "client": "ovcid-c11e0002-0000-4000-8000-000000000002",
            "isPrimary": true,
            "labels": [
              "after-hours"
            ]
          }
        ]
      },
      {
        "id": "10042",
        "address1": "9 Old Mill Road",
        "city": "Round Rock",
        "state": "TX",
        "zip": "78664",
        "serviceLevel": "standard",
        "sla": 24,
        "isMonitored": false,
        "createdAt": "2016-02-11T08:00:00Z",
        "labels": [
          "warranty"
        ],
        "clients": [
          {
            "client": "ovcid-c11e0003-0000-4000-8000-000000000003",
            "isPrimary": true
          }
        ]
      },
      {
        "id": "ovaid-517e0004-0000-4000-8000-000000000004",
        "address1": "1203 Cedar Bend",
        "city": "Pflugerville",
        "state": "TX",
        "zip": "78660",
        "serviceLevel": "standard",
        "createdAt": "2026-11-02T10:12:00Z",
        "clients": [
          {
            "client": "ovcid-c11e0004-0000-4000-8000-000000000004",
            "isPrimary": true
          }
        ]
      },
      {
        "id": "7"
      }
    ],
    "conversations": [
      {
        "id": "c0000001-0000-4000-8000-000000000001",
        "friendlyId": "ACME-1001",
        "subject": "Water heater leaking into the garage",
        "status": "open",
        "statusLastUpdatedAt": "2026-11-16T14:05:00Z",
        "type": "call",
        "urgency": "high",
        "createdAt": "2026-11-16T13:58:00Z",
        "updatedAt": "2026-11-16T14:22:00Z",
        "requester": "Dana Whitfield",
        "issue": "Tank water heater drips from the relief valve",
        "resolution": "",
        "shortSummary": "Client shut the water off; visit wanted today",
        "messages": [
          {
            "author": "Dana Whitfield",
            "role": "client",
            "createdAt": "2026-11-16T13:58:00Z",
            "text": "There is a puddle under the water heater and it is growing. I turned the water off.",
            "isInternal": false,
            "rawBody": "<p>There is a puddle under the water heater and it is growing.</p><p>I turned the water off.</p>",
            "attachments": [
              {
                "type": "audio",
                "title": "Call of 16 November, 13:58",
                "content": "https://files.acme.example/calls/1001.mp3",
                "transcriptionId": "7a5c0001-0000-4000-8000-000000000001"
              },
              {
                "type": "image",
                "title": "puddle.jpg",
                "content": "https://files.acme.example/photos/1001-puddle.jpg",
                "transcriptionId": ""
              }
            ]
          },
          {
            "author": "Maya Lindqvist",
            "role": "agent",
            "createdAt": "2026-11-16T14:05:00Z",
            "text": "A technician can be with you between 3 and 5 this afternoon.",
            "isInternal": false,
            "rawBody": "A technician can be with you between 3 and 5 this afternoon.",
            "attachments": []
          },
          {
            "author": "Priya Raman",
            "role": "agent",
            "createdAt": "2026-11-16T14:22:00Z",
            "text": "Unit is from 2021, so the tank is covered. Bring a relief valve and an expansion tank.",
            "isInternal": true,
            "rawBody": "Unit is from 2021, so the tank is covered. Bring a relief valve and an expansion tank.",
            "attachments": []
          }
        ],
        "participants": {
          "agents": [
            "a9e70001-0000-4000-8000-000000000001",
            "a9e70003-0000-4000-8000-000000000003"
          ],
          "clients": [
            "ovcid-c11e0001-0000-4000-8000-000000000001"
          ]
        },
        "sites": [
          "ovaid-517e0001-0000-4000-8000-000000000001"
        ],
        "labels": [
          "vip",
          "warranty",
          "internal-risk"
        ]
      },
      {
        "id": "c0000002-0000-4000-8000-000000000002",
        "friendlyId": "ACME-0874",
        "subject": "Yearly furnace check",
        "status": "closed",
        "statusLastUpdatedAt": "2026-10-09T16:40:00Z",
        "type": "web-form",
        "urgency": "low",
        "createdAt": "2026-09-28T09:15:00Z",
        "updatedAt": "2026-10-09T16:40:00Z",
        "requester": "Dana Whitfield",
        "issue": "Furnace due for its yearly check",
        "resolution": "Filter changed, burner cleaned, no faults found",
        "shortSummary": "Routine check done, next one in a year",
        "messages": [
          {
            "author": "Dana Whitfield",
            "role": "client",
            "createdAt": "2026-09-28T09:15:00Z",
            "text": "Please book the yearly furnace check, any morning works.",
            "isInternal": false,
            "rawBody": "preferred=morning&message=Please+book+the+yearly+furnace+check%2C+any+morning+works.",
            "attachments": []
          },
          {
            "author": "Tom Okafor",
            "role": "agent",
            "createdAt": "2026-10-09T16:40:00Z",
            "text": "All done, the report is attached.",
            "isInternal": false,
            "rawBody": "All done, the report is attached.",
            "attachments": [
              {
                "type": "document",
                "title": "Furnace report 2026.pdf",
                "content": "https://files.acme.example/reports/0874.pdf",
                "transcriptionId": ""
              }
            ]
          }
        ],
        "participants": {
          "agents": [
            "a9e70002-0000-4000-8000-000000000002"
          ],
          "clients": [
            "ovcid-c11e0001-0000-4000-8000-000000000001"
          ]
        },
        "sites": [
          "ovaid-517e0001-0000-4000-8000-000000000001"
        ],
        "labels": [
          "maintenance-plan"
        ]
      },
      {
        "id": "c0000003-0000-4000-8000-000000000003",
        "friendlyId": "ACME-1002",
        "subject": "No heat in the treatment rooms",
        "status": "in-progress",
        "statusLastUpdatedAt": "2026-11-17T06:50:00Z",
        "type": "email",
        "urgency": "emergency",
        "createdAt": "2026-11-17T06:31:00Z",
        "updatedAt": "2026-11-17T07:10:00Z",
        "requester": "Luis Ortega",
        "issue": "Rooftop unit 2 does not ignite",
        "resolution": "",
        "shortSummary": "Technician on site, igniter suspected",
        "messages": [
          {
            "author": "Luis Ortega",
            "role": "client",
            "createdAt": "2026-11-17T06:31:00Z",
            "text": "The rooms are at 54 degrees and our first patient comes at nine.",
            "isInternal": false,
            "rawBody": "From: office@riverside-dental.example\r\nSubject: No heat\r\n\r\nThe rooms are at 54 degrees and our first patient comes at nine.",
            "attachments": []
          },
          {
            "author": "Maya Lindqvist",
            "role": "agent",
            "createdAt": "2026-11-17T07:10:00Z",
            "text": "Ask for the roof key at the front desk, the side stairs are locked.",
            "isInternal": true,
            "rawBody": "Ask for the roof key at the front desk, the side stairs are locked.",
            "attachments": []
          }
        ],
        "participants": {
          "agents": [
            "a9e70001-0000-4000-8000-000000000001"
          ],
          "clients": [
            "ovcid-c11e0002-0000-4000-8000-000000000002"
          ]
        },
        "sites": [
          "ovaid-517e0002-0000-4000-8000-000000000002"
        ],
        "labels": [
          "after-hours",
          "payment-watchlist"
        ]
      },
      {
        "id": "c0000004-0000-4000-8000-000000000004",
        "friendlyId": "ACME-0990",
        "subject": "Thermostat replacement estimate",
        "status": "pending",
        "statusLastUpdatedAt": "2026-11-12T10:02:00Z",
        "type": "email",
        "urgency": "normal",
        "createdAt": "2026-11-10T15:44:00Z",
        "updatedAt": "2026-11-12T10:02:00Z",
        "requester": "Luis Ortega",
        "issue": "Four thermostats no longer keep their schedule",
        "resolution": "",
        "shortSummary": "Estimate sent, waiting for approval",
        "messages": [
          {
            "author": "Tom Okafor",
            "role": "agent",
            "createdAt": "2026-11-12T10:02:00Z",
            "text": "Here is the estimate for four thermostats, installed.",
            "isInternal": false,
            "rawBody": "Here is the estimate for four thermostats, installed.",
            "attachments": [
              {
                "type": "document",
                "title": "Estimate 0990.pdf",
                "content": "https://files.acme.example/estimates/0990.pdf",
                "transcriptionId": ""
              }
            ]
          }
        ],
        "participants": {
          "agents": [
            "a9e70002-0000-4000-8000-000000000002"
          ],
          "clients": [
            "ovcid-c11e0002-0000-4000-8000-000000000002"
          ]
        },
        "sites": [
          "ovaid-517e0002-0000-4000-8000-000000000002"
        ],
        "labels": [
          "estimate-sent"
        ]
      },
      {
        "id": "c0000005-0000-4000-8000-000000000005",
        "friendlyId": "ACME-0951",
        "subject": "Kitchen drain slow again",
        "status": "scheduled",
        "statusLastUpdatedAt": "2026-11-13T12:30:00Z",
        "type": "sms",
        "urgency": "normal",
        "createdAt": "2026-11-13T12:11:00Z",
        "updatedAt": "2026-11-13T12:30:00Z",
        "requester": "Harold Benning",
        "issue": "Kitchen drain backs up when the dishwasher runs",
        "resolution": "",
        "shortSummary": "Booked for 20 November, 8 to 10",
        "messages": [
          {
            "author": "Harold Benning",
            "role": "client",
            "createdAt": "2026-11-13T12:11:00Z",
            "text": "drain is slow again, you fixed it in august",
            "isInternal": false,
            "rawBody": "drain is slow again, you fixed it in august",
            "attachments": []
          },
          {
            "author": "Acme scheduling",
            "role": "system",
            "createdAt": "2026-11-13T12:30:00Z",
            "text": "Your visit is booked for 20 November between 8 and 10.",
            "isInternal": false,
            "rawBody": "Your visit is booked for 20 November between 8 and 10.",
            "attachments": []
          }
        ],
        "participants": {
          "agents": [
            "a9e70001-0000-4000-8000-000000000001"
          ],
          "clients": [
            "ovcid-c11e0003-0000-4000-8000-000000000003"
          ]
        },
        "sites": [
          "10042"
        ],
        "labels": [
          "warranty",
          "gate code needed"
        ]
      },
      {
        "id": "c0000006-0000-4000-8000-000000000006",
        "friendlyId": "ACME-0702",
        "subject": "Kitchen drain blocked",
        "status": "resolved",
        "statusLastUpdatedAt": "2026-08-21T11:25:00Z",
        "type": "call",
        "urgency": "high",
        "createdAt": "2026-08-20T18:02:00Z",
        "updatedAt": "2026-08-21T11:25:00Z",
        "requester": "Harold Benning",
        "issue": "Kitchen sink does not drain",
        "resolution": "Line cleared to the main, 90 days of cover given",
        "shortSummary": "Drain cleared",
        "messages": [
          {
            "author": "Harold Benning",
            "role": "client",
            "createdAt": "2026-08-20T18:02:00Z",
            "text": "The kitchen sink is full and nothing goes down.",
            "isInternal": false,
            "rawBody": "The kitchen sink is full and nothing goes down.",
            "attachments": [
              {
                "type": "audio",
                "title": "Call of 20 August, 18:02",
                "content": "https://files.acme.example/calls/0702.mp3",
                "transcriptionId": "7a5c0002-0000-4000-8000-000000000002"
              }
            ]
          }
        ],
        "participants": {
          "agents": [
            "a9e70003-0000-4000-8000-000000000003"
          ],
          "clients": [
            "ovcid-c11e0003-0000-4000-8000-000000000003"
          ]
        },
        "sites": [
          "10042"
        ]
      },
      {
        "id": "c0000007-0000-4000-8000-000000000007",
        "friendlyId": "ACME-0988",
        "subject": "Compressor for the upstairs unit",
        "status": "on-hold",
        "statusLastUpdatedAt": "2026-11-11T09:00:00Z",
        "type": "call",
        "urgency": "low",
        "createdAt": "2026-11-05T13:20:00Z",
        "updatedAt": "2026-11-11T09:00:00Z",
        "requester": "Dana Whitfield",
        "issue": "Compressor fails under load",
        "resolution": "",
        "shortSummary": "Compressor ordered, two weeks",
        "messages": [
          {
            "author": "Priya Raman",
            "role": "agent",
            "createdAt": "2026-11-11T09:00:00Z",
            "text": "Supplier says 24 November. Offer a loan unit if it gets warm.",
            "isInternal": true,
            "rawBody": "Supplier says 24 November. Offer a loan unit if it gets warm.",
            "attachments": []
          }
        ],
        "participants": {
          "agents": [
            "a9e70003-0000-4000-8000-000000000003",
            "a9e70002-0000-4000-8000-000000000002"
          ],
          "clients": [
            "ovcid-c11e0001-0000-4000-8000-000000000001"
          ]
        },
        "sites": [
          "ovaid-517e0001-0000-4000-8000-000000000001"
        ],
        "labels": [
          "parts-on-order",
          "churn-suspect"
        ]
      },
      {
        "id": "c0000008-0000-4000-8000-000000000008",
        "friendlyId": "ACME-1003",
        "subject": "Quote for two heat pumps",
        "status": "new",
        "statusLastUpdatedAt": "2026-11-18T19:47:00Z",
        "type": "voicemail",
        "urgency": "low",
        "createdAt": "2026-11-18T19:47:00Z",
        "requester": "Kim Tran",
        "issue": "Wants heat pumps in both houses",
        "resolution": "",
        "shortSummary": "Call back with a quote",
        "messages": [
          {
            "author": "Kim Tran",
            "role": "client",
            "createdAt": "2026-11-18T19:47:00Z",
            "text": "[voicemail, 41 seconds] Hi, we would like a quote for two heat pumps, one for us and one for my father-in-law.",
            "isInternal": false,
            "rawBody": "Hi, we would like a quote for two heat pumps, one for us and one for my father-in-law.",
            "attachments": [
              {
                "type": "audio",
                "title": "Voicemail of 18 November, 19:47",
                "content": "https://files.acme.example/voicemail/1003.mp3",
                "transcriptionId": "7a5c0003-0000-4000-8000-000000000003"
              }
            ]
          }
        ],
        "participants": {
          "clients": [
            "ovcid-c11e0004-0000-4000-8000-000000000004",
            "ovcid-c11e0003-0000-4000-8000-000000000003"
          ]
        },
        "sites": [
          "ovaid-517e0004-0000-4000-8000-000000000004",
          "10042"
        ]
      },
      {
        "id": "c0000009-0000-4000-8000-000000000009",
        "friendlyId": "ACME-0969",
        "subject": "Wrong number",
        "status": "closed",
        "statusLastUpdatedAt": "2026-11-08T08:03:00Z",
        "type": "call",
        "urgency": "low",
        "createdAt": "2026-11-08T08:01:00Z",
        "updatedAt": "2026-11-08T08:03:00Z",
        "requester": "unknown caller",
        "issue": "Caller was looking for another company",
        "resolution": "Nothing to do",
        "shortSummary": "Wrong number",
        "messages": [
          {
            "author": "Unknown caller",
            "role": "client",
            "createdAt": "2026-11-08T08:01:00Z",
            "text": "Is this the garden centre?",
            "isInternal": false
          }
        ]
      },
      {
        "id": "c0000010-0000-4000-8000-000000000010",
        "subject": "(no subject)"
      }
    ]
  },
  {
    "tenant": "globex",
    "description": "Globex Facilities, the stranger",
    "keys": [
      {
        "name": "full",
        "secret": "globfull-fake-secret-0000000000000101",
        "scopes": [
          "conversation:read",
          "conversation:write",
          "client:read",
          "client:write",
          "site:read",
          "site:write",
          "siteFile:write",
          "user:read"
        ]
      },
      {
        "name": "reader",
        "secret": "globread-fake-secret-0000000000000102",
        "scopes": [
          "conversation:read"
        ]
      }
    ],
    "users": [
      {
        "id": "a9e70001-0000-4000-8000-000000000101",
        "name": "Ingrid Solberg",
        "email": "ingrid@globex.example",
        "role": "dispatcher"
      }
    ],
    "labels": [
      {
        "id": "1abe1001-0000-4000-8000-000000000101",
        "name": "vip",
        "visibility": "public"
      },
      {
        "id": "1abe1002-0000-4000-8000-000000000102",
        "name": "after-hours",
        "visibility": "public"
      },
      {
        "id": "1abe1003-0000-4000-8000-000000000103",
        "name": "warranty",
        "visibility": "public"
      },
      {
        "id": "1abe1008-0000-4000-8000-000000000108",
        "name": "spare",
        "visibility": "public"
      },
      {
        "id": "1abe9001-0000-4000-8000-000000000991",
        "name": "internal-risk",
        "visibility": "private"
      }
    ],
    "clients": [
      {
        "id": "ovcid-c11e0001-0000-4000-8000-000000000101",
        "name": "Northgate Mall",
        "firstName": "Petra",
        "lastName": "Novak",
        "createdAt": "2025-01-15T09:00:00Z",
        "emails": [
          {
            "id": "e3a10001-0000-4000-8000-000000000101",
            "value": "petra.novak@northgate.example",
            "label": "office",
            "isPrimary": true
          }
        ]
      }
    ],
    "sites": [
      {
        "id": "ovaid-517e0001-0000-4000-8000-000000000101",
        "address1": "1 Northgate Plaza",
        "city": "Denver",
        "state": "CO",
        "zip": "80202",
        "businessName": "Northgate Mall",
        "serviceLevel": "gold",
        "sla": 4,
        "isMonitored": true,
        "createdAt": "2025-01-15T09:05:00Z",
        "labels": [
          "vip",
          "internal-risk"
        ],
        "clients": [
          {
            "client": "ovcid-c11e0001-0000-4000-8000-000000000101",
            "isPrimary": true,
            "labels": [
              "warranty",
              "internal-risk"
            ]
          }
        ]
      },
      {
        "id": "10042",
        "address1": "500 Depot Street",
        "city": "Boulder",
        "state": "CO",
        "zip": "80301",
        "serviceLevel": "standard",
        "labels": [
          "after-hours"
        ]
      }
    ],
    "conversations": [
      {
        "id": "c0000001-0000-4000-8000-000000000101",
        "friendlyId": "GLOBEX-1001",
        "subject": "Escalator hall too warm",
        "status": "open",
        "statusLastUpdatedAt": "2026-11-15T10:20:00Z",
        "type": "call",
        "urgency": "normal",
        "createdAt": "2026-11-15T10:12:00Z",
        "updatedAt": "2026-11-15T10:20:00Z",
        "requester": "Petra Novak",
        "issue": "Air handler 3 does not cool",
        "resolution": "",
        "shortSummary": "Visit on Monday",
        "messages": [
          {
            "author": "Petra Novak",
            "role": "client",
            "createdAt": "2026-11-15T10:12:00Z",
            "text": "Shops around the escalators complain about the heat.",
            "isInternal": false,
            "rawBody": "Shops around the escalators complain about the heat.",
            "attachments": []
          }
        ],
        "participants": {
          "agents": [
            "a9e70001-0000-4000-8000-000000000101"
          ],
          "clients": [
            "ovcid-c11e0001-0000-4000-8000-000000000101"
          ]
        },
        "sites": [
          "ovaid-517e0001-0000-4000-8000-000000000101"
        ],
        "labels": [
          "vip",
          "internal-risk"
        ]
      },
      {
        "id": "c0000002-0000-4000-8000-000000000102",
        "friendlyId": "GLOBEX-0907",
        "subject": "Depot boiler service",
        "status": "closed",
        "statusLastUpdatedAt": "2026-09-02T14:00:00Z",
        "type": "email",
        "urgency": "low",
        "createdAt": "2026-08-30T08:30:00Z",
        "updatedAt": "2026-09-02T14:00:00Z",
        "requester": "Petra Novak",
        "issue": "Boiler due for service",
        "resolution": "Serviced",
        "shortSummary": "Boiler serviced",
        "sites": [
          "10042"
        ]
      }
    ]
  },
  {
    "tenant": "initech",
    "description": "Initech Property Care, with a raised rate limit",
    "keys": [
      {
        "name": "fast",
        "secret": "initfast-fake-secret-0000000000000201",
        "scopes": [
          "conversation:read",
          "conversation:write",
          "site:read",
          "site:write",
          "siteFile:write"
        ],
        "rateLimit": {
          "perSecond": 50,
          "burst": 100
        }
      },
      {
        "name": "full",
        "secret": "initfull-fake-secret-0000000000000202",
        "scopes": [
          "conversation:read",
          "conversation:write",
          "client:read",
          "client:write",
          "site:read",
          "site:write",
          "siteFile:write",
          "user:read"
        ]
      }
    ],
    "users": [],
    "labels": [
      {
        "id": "1abe1001-0000-4000-8000-000000000201",
        "name": "vip",
        "visibility": "public"
      },
      {
        "id": "1abe1008-0000-4000-8000-000000000208",
        "name": "bulk-import",
        "visibility": "public"
      }
    ],
    "clients": [
      {
        "id": "ovcid-c11e0001-0000-4000-8000-000000000201",
        "name": "Bill Porter",
        "firstName": "Bill",
        "lastName": "Porter",
        "createdAt": "2026-01-05T09:00:00Z"
      }
    ],
    "sites": [
      {
        "id": "ovaid-517e0001-0000-4000-8000-000000000201",
        "address1": "4120 Freidrich Lane",
        "city": "Austin",
        "state": "TX",
        "zip": "78744",
        "serviceLevel": "gold",
        "labels": [
          "bulk-import"
        ],
        "clients": [
          {
            "client": "ovcid-c11e0001-0000-4000-8000-000000000201",
            "isPrimary": true
          }
        ]
      }
    ],
    "conversations": [
      {
        "id": "c0000001-0000-4000-8000-000000000201",
        "friendlyId": "INITECH-0001",
        "subject": "Lift room ventilation",
        "status": "open",
        "statusLastUpdatedAt": "2026-11-01T09:00:00Z",
        "type": "email",
        "urgency": "normal",
        "createdAt": "2026-11-01T09:00:00Z",
        "updatedAt": "2026-11-01T09:00:00Z",
        "requester": "Bill Porter",
        "participants": {
          "clients": [
            "ovcid-c11e0001-0000-4000-8000-000000000201"
          ]
        },
        "sites": [
          "ovaid-517e0001-0000-4000-8000-000000000201"
        ]
      }
    ]
  }
];

/** The SHA-256 of each secret of theirs: to work them out would be a tenth of a start. */
export const defaultHashes: ReadonlyMap<string, string> = new Map([
  [
    "acmefull-fake-secret-0000000000000001",
    "47c93ec953c828f5aad36849310b8d30c555276d77924dfc6d5efee29ccb857b"
  ],
  [
    "acmenone-fake-secret-0000000000000002",
    "b52244be39591bdd06c0107461fe724877eb49a156f1ecdcac63e45d769e77b3"
  ],
  [
    "acmerevk-fake-secret-0000000000000003",
    "c4f925b39bab951f07cd88091341c44ce7e58efda96b738d7f2d857e2490aac1"
  ],
  [
    "acmelimt-fake-secret-0000000000000004",
    "717c8a252926fc6873b9d2081d26b6ffba5445daee0758286ad8135abb200d4c"
  ],
  [
    "acmeconr-fake-secret-0000000000000005",
    "b7feab97989db249a620c97019933c51551a98116935fdfcf11349c11d6456a7"
  ],
  [
    "acmeconw-fake-secret-0000000000000006",
    "5920c096ddce48f245f8d69bafbf01a53e9f755bc7706cb86c3c2a2f022d33a6"
  ],
  [
    "acmeclir-fake-secret-0000000000000007",
    "4e941a9ded6bde948de5f8e4e5e0b795c0f49e3c1c1bb46e257a8d89feb1fe2c"
  ],
  [
    "acmecliw-fake-secret-0000000000000008",
    "e5b1f2123ceb348b4e8db7f4b64b2e54d8a73f3eab97231c41dd383ee8457482"
  ],
  [
    "acmesitr-fake-secret-0000000000000009",
    "27a0349469c816a1677432452095883195ef871f819300427cee3ba9146a95d6"
  ],
  [
    "acmesitw-fake-secret-0000000000000010",
    "c383a34e0093ece6e5d34c85df2144a4fa263139ce841bdcf6d32c5d0251af7a"
  ],
  [
    "acmefilw-fake-secret-0000000000000011",
    "908b11329ee76d17a2921b9dd60bb54076f792f7d8c4073d256e5b0988f45326"
  ],
  [
    "acmeusrr-fake-secret-0000000000000012",
    "b0e3a626eb692bd23a3f20c239327940f96a949e5c3e8568fc65e773b9df421b"
  ],
  [
    "acmelink-fake-secret-0000000000000013",
    "251cf29afe462789fb56fd49028271176d9c2c94097171d104f0d9a430cb5bca"
  ],
  [
    "globfull-fake-secret-0000000000000101",
    "2075c5f6802afd9ae0a977913ac55f6e9d98ed5f02229274f89895feba977c9d"
  ],
  [
    "globread-fake-secret-0000000000000102",
    "946beffedfab78f159c8262b01883020f7038b30f1f1d63fb31a2179534f1bb6"
  ],
  [
    "initfast-fake-secret-0000000000000201",
    "36a82af89e32bc94d70cdb4713f376ac3dbf285fefabae5bccc5f9f2a6b02bdf"
  ],
  [
    "initfull-fake-secret-0000000000000202",
    "442fe00f52e68430eb13d588d4ef58e4c7285fb9da6c16f2041ffce440975a55"
  ]
]);
