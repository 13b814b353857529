// Generated from spec/rules.yaml by `npm run generate`. Do not edit.

/** The id of a rule: its area and its subject. */
export type RuleId =
  | 'service/resources'
  | 'transport/json-both-ways'
  | 'transport/json-content-type'
  | 'auth/key-in-x-api-key'
  | 'isolation/reads-stay-in-tenant'
  | 'isolation/writes-stay-in-tenant'
  | 'scopes/named-scopes-suffice'
  | 'client/json-bodies'
  | 'client/any-spelling'
  | 'ids/site-id'
  | 'ids/legacy-site-id-works'
  | 'ids/malformed-is-refused'
  | 'client/ids-as-given'
  | 'client/any-site-id'
  | 'context/strings'
  | 'context/labels-are-strings'
  | 'context/labels-are-names'
  | 'context/messages'
  | 'context/participants'
  | 'context/sites'
  | 'context/any-field-may-be-absent'
  | 'client/absent-fields'
  | 'client/unknown-fields'
  | 'client/any-value'
  | 'client/any-order'
  | 'client/empty-lists'
  | 'upload/target-file-key'
  | 'upload/target-url'
  | 'upload/target-expiry'
  | 'labels/public-or-private'
  | 'labels/private-cannot-be-applied'
  | 'labels/private-cannot-be-removed'
  | 'labels/private-never-in-a-reply'
  | 'labels/site-label-set'
  | 'labels/record-is-id-and-name'
  | 'client/many-labels'
  | 'client/lists-once'
  | 'upload/registration-reply'
  | 'client/other-replies'
  | 'errors/body'
  | 'open/string-values'
  | 'labels/membership-is-a-set'
  | 'labels/apply-adds'
  | 'labels/apply-is-idempotent'
  | 'labels/remove-removes'
  | 'labels/remove-is-idempotent'
  | 'labels/closed-conversation-can-be-labelled'
  | 'client/does-once'
  | 'auth/header-is-required'
  | 'upload/start-is-201'
  | 'scopes/upload-needs-sitefile-write'
  | 'upload/no-additional-properties'
  | 'upload/content-type-is-required'
  | 'errors/invalid-request-is-400'
  | 'upload/unknown-site-is-404'
  | 'upload/foreign-site-is-404'
  | 'upload/nothing-stored-before-registration'
  | 'upload/put-accepts-bytes'
  | 'upload/signature-is-verified'
  | 'upload/put-content-type-must-match'
  | 'upload/expired-url-is-refused'
  | 'upload/no-direct-bytes'
  | 'upload/file-may-exceed-10mb'
  | 'upload/register-takes-file-key'
  | 'upload/register-before-put-is-422'
  | 'upload/register-twice-is-409'
  | 'client/upload-form'
  | 'client/upload-content-type'
  | 'client/upload-in-time'
  | 'client/bytes-to-storage'
  | 'client/register-after-put'
  | 'client/register-issued-key'
  | 'client/finishes-uploads'
  | 'client/survives-expiry'
  | 'client/survives-storage'
  | 'context/get-answers-context'
  | 'scopes/context-needs-conversation-read'
  | 'context/without-the-record'
  | 'labels/conversation-apply'
  | 'scopes/conversation-labels-need-conversation-write'
  | 'labels/conversation-remove'
  | 'labels/site-apply'
  | 'scopes/where-none-is-named'
  | 'labels/link-remove'
  | 'scopes/link-remove-needs-both'
  | 'labels/paths-and-methods'
  | 'labels/listing-gives-public-labels'
  | 'service/named-endpoints-exist'
  | 'service/conversation-record'
  | 'service/reference-endpoints'
  | 'auth/bearer-is-not-supported'
  | 'auth/no-key-is-403'
  | 'auth/unknown-key-is-403'
  | 'auth/key-in-other-case'
  | 'auth/forbidden-has-the-error-body'
  | 'keys/partner-scoped'
  | 'scopes/missing-scope-is-403'
  | 'limiter/own-bucket-per-key'
  | 'keys/made-by-admins-in-portal'
  | 'keys/created-with-name-and-scopes'
  | 'keys/secret-shown-only-once'
  | 'keys/regeneration-issues-a-new-secret'
  | 'auth/revoked-key-is-403'
  | 'keys/revocation-is-immediate-and-listed'
  | 'open/scope-names'
  | 'client/key-in-header'
  | 'client/key-nowhere-else'
  | 'client/key-not-to-storage'
  | 'client/key-not-in-output'
  | 'client/least-scopes'
  | 'client/stops-when-revoked'
  | 'open/events'
  | 'errors/unknown-is-404'
  | 'errors/codes'
  | 'errors/upload-statuses-are-declared'
  | 'errors/internal-error'
  | 'errors/routing'
  | 'errors/order-of-judgement'
  | 'limiter/over-the-rate-is-429'
  | 'limiter/429-comes-before-the-handler'
  | 'limiter/429-has-retry-after'
  | 'limiter/429-body-is-one-message'
  | 'limiter/waiting-retry-after-suffices'
  | 'service/clients-back-off'
  | 'open/context-error-statuses'
  | 'client/waits-retry-after'
  | 'client/survives-throttling'
  | 'client/survives-lost-replies'
  | 'client/tells-failures'
  | 'client/no-needless-retry'
  | 'client/ends-retrying'
  | 'client/other-errors'
  | 'limiter/steady-rate'
  | 'limiter/burst'
  | 'limiter/burst-reading'
  | 'limiter/clustering-gains-nothing'
  | 'limiter/limits-can-be-raised'
  | 'limiter/rejected-does-not-consume'
  | 'limits/below-10mb-passes'
  | 'limits/above-10mb-is-refused'
  | 'limits/too-large-is-413'
  | 'upload/url-lives-five-minutes'
  | 'open/site-file-size'
  | 'client/below-the-rate'
  | 'client/request-size'
  | 'client/reuses-connections'
  | 'versioning/version-is-1-0-0'
  | 'versioning/v1-prefix'
  | 'open/deprecation'
  | 'client/known-operations';

/** How a rule is verified. `untestable` excludes all others. */
export type Verification = 'conformance' | 'load' | 'certify' | 'mock' | 'untestable';

export interface Rule {
  readonly id: RuleId;
  /** The heading of the specification that the rule comes from. */
  readonly section: string;
  /** One sentence. */
  readonly rule: string;
  /** What to do in a deployment that breaks it, where that can fail one. */
  readonly remedy?: string;
  readonly level: 'must' | 'should';
  /** Only documented rules are judged. For other rules, the behaviour of a deployment is observed. */
  readonly provenance: 'documented' | 'reference' | 'assumed';
  readonly verification: readonly Verification[];
  /** The behaviour that tests of the mock prove, if `mock` is among the verifications. */
  readonly behaviour?: string;
  /** Why the rule is not verified, if it is untestable. */
  readonly reason?: string;
}

/** All rules, in the order of the specification. */
export const rules: readonly Rule[] = [
  {
    "id": "service/resources",
    "section": "What the service does",
    "rule": "The API gives access to conversations, clients, sites, users, labels and site files, below one base address that the operator tells.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "untestable"
    ],
    "reason": "a statement of purpose; the operations it names have rules of their own, and the base address is baseUrl of the target file"
  },
  {
    "id": "transport/json-both-ways",
    "section": "What the service does",
    "rule": "Every endpoint takes its request body, if any, as JSON, and the body of every successful reply is JSON.",
    "remedy": "Parse request bodies as JSON, and answer every success with a body that is JSON.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "transport/json-content-type",
    "section": "What the service does",
    "rule": "A JSON reply says so in its Content-Type header.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "auth/key-in-x-api-key",
    "section": "What the service does",
    "rule": "A request whose x-api-key header holds a valid key is authenticated.",
    "remedy": "Look the key up by the value of the x-api-key header, and refuse only keys that are unknown or revoked.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "isolation/reads-stay-in-tenant",
    "section": "What the service does",
    "rule": "A key reads only data of the tenant it is bound to; no reply carries another tenant's data.",
    "remedy": "Find each record by its id and the tenant of the key together, also where a list, an upload or a cache is read.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "isolation/writes-stay-in-tenant",
    "section": "What the service does",
    "rule": "A key changes only data of the tenant it is bound to; a write that names another tenant's record does not succeed.",
    "remedy": "Find the record among those of the key's tenant before anything is changed, and refuse the request if it is not there.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/named-scopes-suffice",
    "section": "What the service does",
    "rule": "An operation requires named scopes; a key that has the scopes that the specification names is not refused because of scopes.",
    "remedy": "Ask for the scopes that the specification names for the operation, and for no others.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/json-bodies",
    "section": "What the service does",
    "rule": "A client sends JSON, declared as such, wherever it sends a body to the API.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/any-spelling",
    "section": "What the service does",
    "rule": "A client reads replies in any spelling that HTTP and JSON allow: names of headers in any case, bodies in pieces, with blanks or escapes, connections that end after a reply.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "ids/site-id",
    "section": "Identifiers",
    "rule": "A site is addressed by its id, a string of at least one character; newer ids are ovaid- and a UUID.",
    "remedy": "Accept both kinds of site ids wherever a path has one: ovaid- with a UUID, and the bare id of a legacy site.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "ids/legacy-site-id-works",
    "section": "Identifiers",
    "rule": "A legacy site is addressed by its bare id, which may be a plain number.",
    "remedy": "Treat the id of a site as text, and do not demand the form of newer ids.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "ids/malformed-is-refused",
    "section": "Identifiers",
    "rule": "A request with an id of another form than the documented one (ovcid- for a client, a UUID for a conversation and for a label) is refused.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/ids-as-given",
    "section": "Identifiers",
    "rule": "A client names records by the ids that the service gave: a label by the id that GET /v1/labels lists, not by its name.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/any-site-id",
    "section": "Identifiers",
    "rule": "A client accepts site ids of any form: a legacy id may be a bare number.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "context/strings",
    "section": "Conversation context",
    "rule": "subject, status, type, urgency and requester of a context are strings; null is a field that is left out.",
    "remedy": "Send these fields as strings, and leave out a field that has no value.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/labels-are-strings",
    "section": "Conversation context",
    "rule": "labels of a context is an array of strings.",
    "remedy": "Send the names of the labels as strings in an array, without records.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/labels-are-names",
    "section": "Conversation context",
    "rule": "The strings in labels of a context are names of labels.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/messages",
    "section": "Conversation context",
    "rule": "messages is an array of objects: author, role, createdAt, text and rawBody are strings, isInternal is a boolean, attachments an array of objects whose type, title, content and transcriptionId are strings.",
    "remedy": "Send each message with these types, and leave out a field that has no value.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/participants",
    "section": "Conversation context",
    "rule": "participants is an object: agents is an array of strings, clients an array of objects whose name, primaryPhoneNumber and primaryEmail are strings.",
    "remedy": "Send agents as strings and clients as objects with these types, and leave out a field that has no value.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/sites",
    "section": "Conversation context",
    "rule": "sites is an array of objects: address, serviceLevel and id are strings, associatedConversations an array of objects whose friendlyId, subject, status, statusLastUpdatedAt, issue, resolution and shortSummary are strings.",
    "remedy": "Send each site with these types, and leave out a field that has no value.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/any-field-may-be-absent",
    "section": "Conversation context",
    "rule": "Any field of a context may be left out, at every depth, and others may be added; which ones are there is an observation, and so is null in place of a string or a boolean.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/absent-fields",
    "section": "Conversation context",
    "rule": "A client works without the fields that the contract does not promise.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/unknown-fields",
    "section": "Conversation context",
    "rule": "A client ignores fields that it does not know.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/any-value",
    "section": "Conversation context",
    "rule": "A client accepts any value of strings whose values the contract leaves open, such as status, type and urgency.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/any-order",
    "section": "Conversation context",
    "rule": "A client does not depend on the order of properties, nor on the order of a list.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/empty-lists",
    "section": "Conversation context",
    "rule": "A client accepts that any list of a context may be empty.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "upload/target-file-key",
    "section": "Site file upload target",
    "rule": "An upload target always has a fileKey, a string that is a UUID, and every start issues another one.",
    "remedy": "Make a new UUID for each start, and answer it as fileKey.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/target-url",
    "section": "Site file upload target",
    "rule": "An upload target always has an uploadUrl, a string that is a presigned URL for PUT.",
    "remedy": "Presign a PUT for each start, and answer the whole URL with its signature as uploadUrl.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/target-expiry",
    "section": "Site file upload target",
    "rule": "An upload target always has an uploadUrlExpiresAt, a string that is a date-time.",
    "remedy": "Answer the moment at which the URL expires as a date-time with its zone.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/public-or-private",
    "section": "Labels",
    "rule": "Every label is either public or private.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "mock"
    ],
    "behaviour": "a fixture whose label is neither public nor private is refused"
  },
  {
    "id": "labels/private-cannot-be-applied",
    "section": "Labels",
    "rule": "Applying a private label does not succeed and changes nothing.",
    "remedy": "Look the label up among the public ones, and refuse the request before anything is stored.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/private-cannot-be-removed",
    "section": "Labels",
    "rule": "Removing a private label changes nothing, whatever the reply.",
    "remedy": "Look the label up among the public ones before anything is removed.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/private-never-in-a-reply",
    "section": "Labels",
    "rule": "A private label that was applied inside the product appears in no reply.",
    "remedy": "Take private labels out where replies are made: contexts, label sets, the listing, headers and errors.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/site-label-set",
    "section": "Labels",
    "rule": "The label set of a site is an object with siteId, a string, and labels, an array of objects; both are always there.",
    "remedy": "Answer siteId and labels always, and labels as an empty array where the site has none.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/record-is-id-and-name",
    "section": "Labels",
    "rule": "A label record has an id and a name, and labels are listed by name, then by id.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/many-labels",
    "section": "Labels",
    "rule": "A client works with hundreds of labels.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/lists-once",
    "section": "Labels",
    "rule": "A client keeps the list of labels for a while, and does not read it before every step.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "upload/registration-reply",
    "section": "Site file",
    "rule": "Registering a file answers 201 with fileKey, siteId, name, contentType, size and createdAt; name is optional in the request, other fields are ignored.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/other-replies",
    "section": "Site file",
    "rule": "A client accepts any success status, and any body where the contract shows none.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "errors/body",
    "section": "Error body",
    "rule": "An error reply of an endpoint (a gateway's 403, 413, 429 and 503 aside) is an object whose error is an object with code, which is not empty, and message, both strings; all three are always there.",
    "remedy": "Make error replies in one place, with error.code and error.message, also those of validation and of unexpected failures.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "open/string-values",
    "section": "States and transitions",
    "rule": "Which values the string fields of a context may take, and how conversations change their status, is left open.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "untestable"
    ],
    "reason": "every string is legal, and no operation of the API changes a status"
  },
  {
    "id": "labels/membership-is-a-set",
    "section": "States and transitions",
    "rule": "The labels of a conversation, a site or a client-site link are a set; no label is carried twice.",
    "remedy": "Store a label of a record once, for example by a unique index over record and label.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/apply-adds",
    "section": "States and transitions",
    "rule": "Applying a label that is not yet carried adds it.",
    "remedy": "Store the label before the reply is sent, for every kind of record and of id, and read it from where it was written.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/apply-is-idempotent",
    "section": "States and transitions",
    "rule": "Applying a label that is already carried succeeds and changes nothing.",
    "remedy": "Take a label that is there already for a success, and leave the set as it is.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/remove-removes",
    "section": "States and transitions",
    "rule": "Removing a label that is carried takes it away.",
    "remedy": "Remove the label before the reply is sent, for every kind of record and of id, and keep no copy that is read later.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/remove-is-idempotent",
    "section": "States and transitions",
    "rule": "Removing a label that is not carried succeeds and changes nothing.",
    "remedy": "Take a label that is not there for a success, and leave the set as it is.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/closed-conversation-can-be-labelled",
    "section": "States and transitions",
    "rule": "A closed conversation can be labelled like any other.",
    "remedy": "Do not look at the status of the conversation when one of its labels changes.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/does-once",
    "section": "States and transitions",
    "rule": "What a client reports as done is done, and done once, even if the client had to repeat requests.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "auth/header-is-required",
    "section": "Endpoints",
    "rule": "The x-api-key header is required on every endpoint; a key anywhere else, such as in the query string, does not replace it.",
    "remedy": "Read the key from the x-api-key header alone: not from the query, a cookie, the body or another header.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/start-is-201",
    "section": "1. Start a site file upload",
    "rule": "POST /v1/site/{id}/file/upload-url with a contentType answers 201 with an upload target.",
    "remedy": "Answer 201 with fileKey, uploadUrl and uploadUrlExpiresAt once contentType is a string that is not empty.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/upload-needs-sitefile-write",
    "section": "1. Start a site file upload",
    "rule": "Starting an upload needs the scope siteFile:write.",
    "remedy": "Check the key for siteFile:write before an upload URL is issued, and answer 403 without it.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/no-additional-properties",
    "section": "1. Start a site file upload",
    "rule": "A start request with any property besides contentType is refused with 400 or 422.",
    "remedy": "Validate the body with a schema that allows contentType alone.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/content-type-is-required",
    "section": "1. Start a site file upload",
    "rule": "A start request without contentType, or with one that is not a string of at least one character, is refused with 400 or 422.",
    "remedy": "Validate that contentType is there and a string of at least one character.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "errors/invalid-request-is-400",
    "section": "1. Start a site file upload",
    "rule": "A malformed request (malformed JSON, wrong types, malformed ids) is answered with 400; 422 is for well-formed requests that the current state does not allow.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/unknown-site-is-404",
    "section": "1. Start a site file upload",
    "rule": "Starting an upload for a site that does not exist answers 404.",
    "remedy": "Look the site up before a URL is issued, and answer 404 if there is none.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/foreign-site-is-404",
    "section": "1. Start a site file upload",
    "rule": "Starting an upload for a site that the partner has no access to answers 404.",
    "remedy": "Look the site up among those of the key's tenant before a URL is issued, and answer 404 if it is not there.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/nothing-stored-before-registration",
    "section": "1. Start a site file upload",
    "rule": "Until the file is registered, nothing is stored on the site.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "mock"
    ],
    "behaviour": "the site has no new file after start and PUT, and has exactly one after registration"
  },
  {
    "id": "upload/put-accepts-bytes",
    "section": "1. Start a site file upload",
    "rule": "A PUT of the bytes to uploadUrl, with the Content-Type that was asked for, succeeds and goes past the API (no API key is sent).",
    "remedy": "Sign the Content-Type that was asked for, and let the storage accept the PUT without a key.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/signature-is-verified",
    "section": "1. Start a site file upload",
    "rule": "A PUT whose signature was altered, or is that of another upload, is refused.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/put-content-type-must-match",
    "section": "1. Start a site file upload",
    "rule": "A PUT to uploadUrl whose Content-Type is not the one that was asked for is refused.",
    "remedy": "Sign the Content-Type into uploadUrl, so that the store refuses a PUT with another one.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/expired-url-is-refused",
    "section": "1. Start a site file upload",
    "rule": "Once uploadUrlExpiresAt has passed, a PUT to the URL is refused.",
    "remedy": "Let the signature cover the expiry, and let the storage compare it with its clock.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/no-direct-bytes",
    "section": "1. Start a site file upload",
    "rule": "The API itself takes no file bytes; sending them to it instead of to uploadUrl does not succeed.",
    "remedy": "Refuse bodies that are not JSON at the API.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/file-may-exceed-10mb",
    "section": "1. Start a site file upload",
    "rule": "A file larger than the API's request limit goes through uploadUrl.",
    "remedy": "Keep the size limit of API requests away from the storage.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/register-takes-file-key",
    "section": "1. Start a site file upload",
    "rule": "POST /v1/site/{id}/file with the fileKey of uploaded bytes succeeds and registers the file.",
    "remedy": "Find the bytes by the fileKey, and register them at the site of the path.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/register-before-put-is-422",
    "section": "1. Start a site file upload",
    "rule": "Registering a fileKey whose bytes were never sent answers 422.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/register-twice-is-409",
    "section": "1. Start a site file upload",
    "rule": "Registering the same fileKey a second time answers 409.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "client/upload-form",
    "section": "1. Start a site file upload",
    "rule": "A client asks for an upload URL with a body whose one property, contentType, is a string that is not empty.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/upload-content-type",
    "section": "1. Start a site file upload",
    "rule": "A client PUTs the bytes with the content type that it asked for.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/upload-in-time",
    "section": "1. Start a site file upload",
    "rule": "A client PUTs the bytes before the upload URL expires.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/bytes-to-storage",
    "section": "1. Start a site file upload",
    "rule": "A client sends the bytes of a file to the upload URL and not to the API.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/register-after-put",
    "section": "1. Start a site file upload",
    "rule": "A client registers a file after its bytes were stored.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/register-issued-key",
    "section": "1. Start a site file upload",
    "rule": "A client registers a file with the fileKey that it got, at the site for which it got it.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/finishes-uploads",
    "section": "1. Start a site file upload",
    "rule": "A client registers the files that it has uploaded.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/survives-expiry",
    "section": "1. Start a site file upload",
    "rule": "A client whose upload URL expired asks for another.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/survives-storage",
    "section": "1. Start a site file upload",
    "rule": "A client sends the bytes again if the storage was unavailable for a moment, or the connection broke.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "context/get-answers-context",
    "section": "2. Get conversation context",
    "rule": "GET /v1/conversation/{id}/context without a body succeeds and answers the context object.",
    "remedy": "Answer a GET without a body, and demand neither a body nor a Content-Type.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/context-needs-conversation-read",
    "section": "2. Get conversation context",
    "rule": "Reading a context needs the scope conversation:read.",
    "remedy": "Check the key for conversation:read before the context is read, and answer 403 without it.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "context/without-the-record",
    "section": "2. Get conversation context",
    "rule": "A context carries what surrounds a conversation (notes, attributes, related entities), not the conversation record itself.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "mock"
    ],
    "behaviour": "the context has the documented fields and no others, so neither the id nor the friendlyId of the record"
  },
  {
    "id": "labels/conversation-apply",
    "section": "3. Apply a label to a conversation",
    "rule": "Applying a public label to a conversation answers every public label that it carries after the change.",
    "remedy": "Read all public labels of the conversation after the change, and answer them.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/conversation-labels-need-conversation-write",
    "section": "3. Apply a label to a conversation",
    "rule": "Applying or removing a label of a conversation needs the scope conversation:write.",
    "remedy": "Check the key for conversation:write before a label is changed, and answer 403 without it.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/conversation-remove",
    "section": "4. Remove a label from a conversation",
    "rule": "Removing a label from a conversation answers every public label that it carries after the change.",
    "remedy": "Read all public labels of the conversation after the change, and answer them.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/site-apply",
    "section": "5. Apply a label to a site",
    "rule": "Applying a label to a site is a PUT that answers every public label that the site carries after the change.",
    "remedy": "Read all public labels of the site after the change, and answer them.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/where-none-is-named",
    "section": "5. Apply a label to a site",
    "rule": "Labels of a site need site:write, applying to a link needs client:write and site:write, registering a file siteFile:write, listing labels none.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/link-remove",
    "section": "6. Remove a label from a client-site link",
    "rule": "Removing a label from a client-site link answers every public label that the link carries after the change.",
    "remedy": "Read all public labels of the link after the change, and answer them as a list.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/link-remove-needs-both",
    "section": "6. Remove a label from a client-site link",
    "rule": "Removing a label from a client-site link needs client:write and site:write together.",
    "remedy": "Check the key for client:write and for site:write before the label is removed, and answer 403 if one is missing.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/paths-and-methods",
    "section": "6. Remove a label from a client-site link",
    "rule": "PUT applies and DELETE removes, on .../label/{labelId} below the conversation, the site or /v1/client/{clientId}/site/{siteId}; the reply names the holder and has labels.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "labels/listing-gives-public-labels",
    "section": "Other endpoints referenced",
    "rule": "GET /v1/labels lists labels, and the ids of public labels, which are UUIDs, are found there.",
    "remedy": "List every public label of the tenant, with its id.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "service/named-endpoints-exist",
    "section": "Other endpoints referenced",
    "rule": "GET /v1/health and GET /v1/conversation/{id} are served.",
    "remedy": "Serve both, also behind a gateway that knows each path by itself.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "service/conversation-record",
    "section": "Other endpoints referenced",
    "rule": "A conversation record has id, friendlyId, subject, status, type, urgency, createdAt and updatedAt and is read with conversation:read.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "service/reference-endpoints",
    "section": "Other endpoints referenced",
    "rule": "Health answers 200 and status ok to any valid key; GET /v1/site/{id} with site:read and GET /v1/client/{id} with client:read answer details.",
    "level": "should",
    "provenance": "reference",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "auth/bearer-is-not-supported",
    "section": "Authentication",
    "rule": "A key sent as an Authorization Bearer token, without x-api-key, does not authenticate and is answered with 403, as a missing key is.",
    "remedy": "Do not read the Authorization header, and answer 403 where x-api-key is missing.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "auth/no-key-is-403",
    "section": "Authentication",
    "rule": "A request without a key is answered with 403.",
    "remedy": "Check the key before anything else, and answer 403 without one; 401 is what most frameworks and gateways answer by themselves.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "auth/unknown-key-is-403",
    "section": "Authentication",
    "rule": "A request with a key that is not recognised is answered with 403.",
    "remedy": "Compare the whole value of the header with the keys that exist, and answer 403 if it is none of them.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "auth/key-in-other-case",
    "section": "Authentication",
    "rule": "A key whose letters are in the other case is not recognised.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "auth/forbidden-has-the-error-body",
    "section": "Authentication",
    "rule": "The 403 for a key or a scope carries the error body, not a gateway's object with a single message.",
    "remedy": "Let the gateway answer a refused key with the error body of the API in place of its own.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "keys/partner-scoped",
    "section": "Authentication",
    "rule": "A key belongs to a partner, not to a user; keys of a tenant with the same scopes read the same data.",
    "remedy": "Take what a key may read from its tenant and its scopes alone.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "scopes/missing-scope-is-403",
    "section": "Authentication",
    "rule": "A request with a key that lacks a scope the operation needs is answered with 403 and changes nothing.",
    "remedy": "Check the scopes of the key before anything is read or changed, and answer 403 if one is missing.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "limiter/own-bucket-per-key",
    "section": "Authentication",
    "rule": "Every key has a bucket of its own; exhausting one key leaves another untouched.",
    "remedy": "Give each key a bucket of its own, not each tenant, address or server.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "keys/made-by-admins-in-portal",
    "section": "Authentication",
    "rule": "Keys are created by authorised admin users, in the developer settings of the product's portal.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "untestable"
    ],
    "reason": "the portal and its admin role are not part of the API"
  },
  {
    "id": "keys/created-with-name-and-scopes",
    "section": "Authentication",
    "rule": "A key is created with a name and chosen scopes, and its full secret is revealed then.",
    "remedy": "Take a name and scopes when a key is created, and show the whole secret in that reply.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "mock"
    ],
    "behaviour": "the portal creates a key with a name and scopes, and the secret that it shows works with these scopes only"
  },
  {
    "id": "keys/secret-shown-only-once",
    "section": "Authentication",
    "rule": "The full secret is shown at creation and after regeneration, and never again.",
    "remedy": "Keep a hash of the secret, and show the secret in the replies of creation and regeneration alone.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "mock"
    ],
    "behaviour": "no reply of the portal but those two carries a secret"
  },
  {
    "id": "keys/regeneration-issues-a-new-secret",
    "section": "Authentication",
    "rule": "A lost key is replaced by regenerating it, which issues a new secret; rotation is to regenerate, deploy the new and discard the old.",
    "remedy": "Make a new secret each time a key is regenerated, and let it authenticate at once.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "mock"
    ],
    "behaviour": "after regeneration the new secret works with the same scopes and (assumed) the old one fails at once"
  },
  {
    "id": "auth/revoked-key-is-403",
    "section": "Authentication",
    "rule": "A revoked key no longer authenticates and is answered with 403.",
    "remedy": "Look at the state of the key at each request, also where keys are cached, and answer 403 once it is revoked.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "keys/revocation-is-immediate-and-listed",
    "section": "Authentication",
    "rule": "Revoking takes effect at once, and the key stays in the list of keys, marked REVOKED.",
    "remedy": "Mark the key REVOKED where requests and the list read it, and keep no copy that is valid for longer.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "mock"
    ],
    "behaviour": "the first request after revocation gets 403, and the portal's list shows the key as REVOKED"
  },
  {
    "id": "open/scope-names",
    "section": "Authentication",
    "rule": "The complete list of scope names is left open; eight are known, five of them documented.",
    "level": "should",
    "provenance": "reference",
    "verification": [
      "untestable"
    ],
    "reason": "no operation lists scopes"
  },
  {
    "id": "client/key-in-header",
    "section": "Authentication",
    "rule": "A client sends its key in the x-api-key header of every request to the API.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/key-nowhere-else",
    "section": "Authentication",
    "rule": "A client sends its key nowhere else: not in a URL, a body, a cookie or another header.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/key-not-to-storage",
    "section": "Authentication",
    "rule": "A client does not send its key to the upload URL, which may belong to another service.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/key-not-in-output",
    "section": "Authentication",
    "rule": "A client does not print its key, because logs are kept and read by others.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/least-scopes",
    "section": "Authentication",
    "rule": "A client works with a key that has only the scopes that its operations need.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/stops-when-revoked",
    "section": "Authentication",
    "rule": "A client whose key was revoked ends and reports it.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "open/events",
    "section": "Events",
    "rule": "Whether there are events, webhooks or notifications is left open.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "untestable"
    ],
    "reason": "the specification describes none; decided that there are none"
  },
  {
    "id": "errors/unknown-is-404",
    "section": "Errors",
    "rule": "A request that names something unknown, private or foreign is answered with 404, not only by upload-url (for foreign records a check accepts 403 as well).",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "errors/codes",
    "section": "Errors",
    "rule": "A status has one code, NOT_FOUND for 404, FORBIDDEN for 403, BAD_REQUEST for 400 and so on.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "errors/upload-statuses-are-declared",
    "section": "Errors",
    "rule": "When it refuses a request, upload-url answers with one of its declared statuses 400, 401, 403, 404, 422 and 500 (a gateway's 429, 413, 415 and 503 aside).",
    "remedy": "Map each refusal of upload-url to one of these statuses.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "errors/internal-error",
    "section": "Errors",
    "rule": "An internal error is answered with 500 and the error body.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "mock"
    ],
    "behaviour": "a fault in an operation, and a 500 forced by the caller, answer the error body without internals"
  },
  {
    "id": "errors/routing",
    "section": "Errors",
    "rule": "An unknown path is answered with 404, another method on a known path with 405 and Allow, a body not declared as JSON with 415.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "errors/order-of-judgement",
    "section": "Errors",
    "rule": "When several things are wrong, the reply is for the first of key, rate, size, route, scope, form, existence, state.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "mock"
    ],
    "behaviour": "of two faults in one request the earlier one in this order is answered"
  },
  {
    "id": "limiter/over-the-rate-is-429",
    "section": "Errors",
    "rule": "A request over the rate limit is answered with 429.",
    "remedy": "Count requests by key in front of every operation, and answer 429 once the bucket of the key is empty.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/429-comes-before-the-handler",
    "section": "Errors",
    "rule": "A request answered with 429 never reached the operation and changed nothing.",
    "remedy": "Ask the limiter before the operation begins, not after it or beside it.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "mock"
    ],
    "behaviour": "the state before and after a throttled write is the same"
  },
  {
    "id": "limiter/429-has-retry-after",
    "section": "Errors",
    "rule": "A 429 has a Retry-After header that gives a number of seconds to wait.",
    "remedy": "Add the header Retry-After with whole seconds to each 429.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/429-body-is-one-message",
    "section": "Errors",
    "rule": "The body of a 429 is a JSON object whose single field is message, a string.",
    "remedy": "Answer each 429 with {\"message\": \"...\"} and nothing else.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/waiting-retry-after-suffices",
    "section": "Errors",
    "rule": "A single request sent after waiting for Retry-After is admitted when nothing else uses the key.",
    "remedy": "Round the time until the next token up, and send it as Retry-After.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "service/clients-back-off",
    "section": "Errors",
    "rule": "A client that gets 429 or 503 should wait before it tries again, longer each time and with some randomness.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "open/context-error-statuses",
    "section": "Errors",
    "rule": "Context declares six error replies; their statuses and codes are left open, and assumed to be those of upload-url.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "untestable"
    ],
    "reason": "the six cannot be provoked from outside; other rules observe the error replies that can"
  },
  {
    "id": "client/waits-retry-after",
    "section": "Errors",
    "rule": "A client that got a 429 sends nothing with that key before Retry-After has passed.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/survives-throttling",
    "section": "Errors",
    "rule": "A client that sometimes gets 429 or 503 succeeds by trying again.",
    "level": "should",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/survives-lost-replies",
    "section": "Errors",
    "rule": "A client repeats requests that are safe to repeat if a reply is late, incomplete or lost.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/tells-failures",
    "section": "Errors",
    "rule": "A client reports what it could not do.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/no-needless-retry",
    "section": "Errors",
    "rule": "A client does not repeat a request unchanged after a 4xx other than 429.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/ends-retrying",
    "section": "Errors",
    "rule": "A client gives up after some attempts.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/other-errors",
    "section": "Errors",
    "rule": "A client does not depend on error codes or the words of error messages.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "limiter/steady-rate",
    "section": "Limits",
    "rule": "A key sustains 10 requests per second (or its raised rate), not less and not more.",
    "remedy": "Refill the bucket of each key at the declared rate, no slower and no faster, and take nothing for a 429. Where several servers count, what they admit adds up.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/burst",
    "section": "Limits",
    "rule": "A rested key admits a burst of 20 requests (or its raised burst) on top of the steady rate, not less and not more.",
    "remedy": "Let the bucket of each key hold the declared burst, no more and no less.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/burst-reading",
    "section": "Limits",
    "rule": "The burst is a bucket of 20 that refills continuously (20 at once and 30 in the first second); bucket or GCRA of 20 or 30 are legal too.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/clustering-gains-nothing",
    "section": "Limits",
    "rule": "The rate holds however requests cluster in time; placing them around window edges does not admit more.",
    "remedy": "Count in a token bucket: fixed windows admit more around their edges.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "load"
    ]
  },
  {
    "id": "limiter/limits-can-be-raised",
    "section": "Limits",
    "rule": "The operator can raise rate and burst of a single key.",
    "remedy": "Read rate and burst of the key at each request, so that a raised limit is in force at once.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance",
      "mock"
    ],
    "behaviour": "a key with raised limits has these limits, and the other keys the defaults"
  },
  {
    "id": "limiter/rejected-does-not-consume",
    "section": "Limits",
    "rule": "A throttled request takes nothing from the bucket, and unknown or revoked keys have no bucket.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "mock"
    ],
    "behaviour": "a key under sustained overload still gets its whole rate"
  },
  {
    "id": "limits/below-10mb-passes",
    "section": "Limits",
    "rule": "A request body well below 10 MB is not refused for its size.",
    "remedy": "Let request bodies of up to 10 MB pass, also through proxies in front.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "limits/above-10mb-is-refused",
    "section": "Limits",
    "rule": "A request body well above 10 MB is refused.",
    "remedy": "Refuse request bodies above 10 MB, by their length where it is declared.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "limits/too-large-is-413",
    "section": "Limits",
    "rule": "A body over the limit, taken as 10 * 1024 * 1024 bytes, is answered with 413.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "upload/url-lives-five-minutes",
    "section": "Limits",
    "rule": "uploadUrlExpiresAt is 5 minutes after the URL was issued.",
    "remedy": "Set uploadUrlExpiresAt to five minutes after the URL is issued, and sign that moment.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "open/site-file-size",
    "section": "Limits",
    "rule": "The maximum size of an uploaded site file is left open.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "untestable"
    ],
    "reason": "searching for a limit would fill a deployment's storage"
  },
  {
    "id": "client/below-the-rate",
    "section": "Limits",
    "rule": "A client stays below the rate of its key, and does not rely on 429s.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/request-size",
    "section": "Limits",
    "rule": "A client sends no request of more than 10 MB to the API.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "client/reuses-connections",
    "section": "Limits",
    "rule": "A client uses a connection for more than one request.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  },
  {
    "id": "versioning/version-is-1-0-0",
    "section": "Versioning",
    "rule": "The version of the API is 1.0.0.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "mock"
    ],
    "behaviour": "the OpenAPI document that the mock serves has the version 1.0.0"
  },
  {
    "id": "versioning/v1-prefix",
    "section": "Versioning",
    "rule": "Every path of the API starts with /v1.",
    "remedy": "Serve the API below /v1 alone.",
    "level": "must",
    "provenance": "documented",
    "verification": [
      "conformance"
    ]
  },
  {
    "id": "open/deprecation",
    "section": "Versioning",
    "rule": "Deprecation and compatibility between versions are left open.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "untestable"
    ],
    "reason": "one version exists"
  },
  {
    "id": "client/known-operations",
    "section": "Versioning",
    "rule": "A client uses only operations that the API has, below /v1.",
    "level": "should",
    "provenance": "assumed",
    "verification": [
      "certify"
    ]
  }
];
