// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service is up
         * @description Answers when the service can handle requests. Any valid key works, even one without scopes.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public labels
         * @description The tenant's public labels, ordered by name and then by id. The label operations need their ids. Private labels are not
         *     listed. Any valid key works, even one without scopes.
         */
        get: operations["listLabels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description The record of one conversation. Unknown query parameters are ignored.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversation/{id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        /**
         * Get the context of a conversation
         * @description Messages, participants, sites and public labels of a conversation, without the conversation's own record. A field
         *     without a value may be absent.
         */
        get: operations["getConversationContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversation/{id}/label/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Apply a label to a conversation
         * @description Applies a public label to a conversation, open or closed. It is idempotent. A private label is not found.
         */
        put: operations["applyConversationLabel"];
        post?: never;
        /**
         * Remove a label from a conversation
         * @description Removes a public label from a conversation. It is idempotent; without the label it succeeds and changes nothing.
         */
        delete: operations["removeConversationLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/site/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        /**
         * Get a site
         * @description A site's address and the clients linked to it. Only the id is always present.
         */
        get: operations["getSite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/site/{id}/label/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Apply a label to a site
         * @description Applies a public label to a site. It is idempotent. A private label is not found.
         */
        put: operations["applySiteLabel"];
        post?: never;
        /**
         * Remove a label from a site
         * @description Removes a public label from a site. It is idempotent; without the label it succeeds and changes nothing.
         */
        delete: operations["removeSiteLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/client/{clientId}/site/{siteId}/label/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client of the link. */
                clientId: components["parameters"]["ClientIdOfLink"];
                /** @description The site of the link. */
                siteId: components["parameters"]["SiteIdOfLink"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Apply a label to a client-site link
         * @description Applies a public label to the link between a client and a site, not to the client or the site. It is idempotent. A client
         *     and a site that are not linked are not found. The key needs both scopes.
         */
        put: operations["applyClientSiteLabel"];
        post?: never;
        /**
         * Remove a label from a client-site link
         * @description Removes a public label from the link between a client and a site. It is idempotent; without the label it succeeds and
         *     changes nothing. The key needs both scopes.
         */
        delete: operations["removeClientSiteLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/site/{id}/file/upload-url": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the upload of a site file
         * @description First of three steps. It issues a `fileKey` and a presigned URL that is valid for 5 minutes. Second, `PUT` the bytes
         *     to that URL with the `Content-Type` that was requested here. That request goes to the object storage, without an API
         *     key and without the 10 MB limit. Third, register the file (`registerSiteFile`). Until then the site does not have it.
         */
        post: operations["startSiteFileUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/site/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an uploaded site file
         * @description Last of the three upload steps, of which `startSiteFileUpload` is the first: adds the uploaded file to the site. A `fileKey`
         *     of another site or tenant is answered with 404, one without uploaded bytes with 422, one that is already registered with 409.
         */
        post: operations["registerSiteFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/client/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client. */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * Get a client
         * @description A client's names, e-mail addresses and telephone numbers.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: uuid
         * @description The id of a conversation.
         * @example 3e8a1c5d-7b42-4f96-8d0e-1a6c9b2f4d73
         */
        ConversationId: string;
        /**
         * @description The id of a site. Newer ids start with `ovaid-`; older ids have any form, such as a bare number.
         * @example ovaid-7c9e6679-7425-40de-944b-e07fc1f90ae7
         * @example 10042
         */
        SiteId: string;
        /**
         * @description The id of a client.
         * @example ovcid-1b4e28ba-2fa1-41d2-883f-0016d3cca427
         */
        ClientId: string;
        /**
         * Format: uuid
         * @description The id of a label.
         * @example 5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60
         */
        LabelId: string;
        /**
         * Format: uuid
         * @description The id of an upload, and later of the file. It belongs to the site and the tenant of the request that started the upload.
         * @example c2d8f6a1-4b7e-4e39-a5c0-8f1d3b6e9a27
         */
        FileKey: string;
        /** @description The state of the service. */
        Health: {
            /** @constant */
            status: "ok";
        };
        /** @description A public label. */
        Label: {
            id: components["schemas"]["LabelId"];
            /** @description The name that people see. */
            name: string;
        };
        /** @description The tenant's public labels, by name and then by id. */
        LabelList: {
            labels: components["schemas"]["Label"][];
        };
        /** @description The public labels of one conversation after a change, by name and then by id. */
        ConversationLabels: {
            conversationId: components["schemas"]["ConversationId"];
            labels: components["schemas"]["Label"][];
        };
        /** @description The public labels of one site after a change, by name and then by id. */
        SiteLabels: {
            siteId: components["schemas"]["SiteId"];
            labels: components["schemas"]["Label"][];
        };
        /** @description The public labels of one client-site link after a change, by name and then by id. */
        ClientSiteLabels: {
            clientId: components["schemas"]["ClientId"];
            siteId: components["schemas"]["SiteId"];
            labels: components["schemas"]["Label"][];
        };
        /** @description A conversation's own record. */
        Conversation: {
            id: components["schemas"]["ConversationId"];
            /** @description The number that people use. */
            friendlyId?: string;
            subject?: string;
            status?: string;
            type?: string;
            urgency?: string;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
        };
        /** @description The context of a conversation. Which fields it has, and the values of its strings, are left open. */
        ConversationContext: {
            subject?: string;
            messages?: components["schemas"]["Message"][];
            /** @description Opaque; no list of states is given. */
            status?: string;
            type?: string;
            urgency?: string;
            /** @description Names of the public labels of the conversation. */
            labels?: string[];
            requester?: string;
            participants?: components["schemas"]["Participants"];
            sites?: components["schemas"]["ContextSite"][];
        };
        /** @description One message of a conversation. */
        Message: {
            author?: string;
            role?: string;
            createdAt?: string;
            text?: string;
            /** @description Written for colleagues, not for the client. */
            isInternal?: boolean;
            rawBody?: string;
            attachments?: components["schemas"]["Attachment"][];
        };
        /** @description An attachment of a message. */
        Attachment: {
            type?: string;
            title?: string;
            content?: string;
            transcriptionId?: string;
        };
        /** @description The participants of a conversation. */
        Participants: {
            agents?: string[];
            clients?: components["schemas"]["ClientSummary"][];
        };
        /** @description The client fields that a context shows. */
        ClientSummary: {
            name?: string;
            primaryPhoneNumber?: string;
            primaryEmail?: string;
        };
        /** @description A site that a conversation is about. */
        ContextSite: {
            address?: string;
            serviceLevel?: string;
            id?: string;
            associatedConversations?: components["schemas"]["AssociatedConversation"][];
        };
        /** @description Another conversation about the same site. */
        AssociatedConversation: {
            friendlyId?: string;
            subject?: string;
            status?: string;
            statusLastUpdatedAt?: string;
            issue?: string;
            resolution?: string;
            shortSummary?: string;
        };
        /** @description The content type of the upload. */
        StartUploadRequest: {
            /** @description The media type, as a `Content-Type` header can carry it. The PUT must have the same. */
            contentType: string;
        };
        /** @description The upload URL and when it expires. */
        UploadTarget: {
            fileKey: components["schemas"]["FileKey"];
            /** @description A presigned URL for one `PUT`. */
            uploadUrl: string;
            /**
             * Format: date-time
             * @description 5 minutes after issue.
             */
            uploadUrlExpiresAt: string;
        };
        /** @description The upload to register. Fields that are not listed are ignored. */
        RegisterFileRequest: {
            fileKey: components["schemas"]["FileKey"];
            /** @description A file name for people. */
            name?: string;
        };
        /** @description A file on a site. */
        SiteFile: {
            fileKey: components["schemas"]["FileKey"];
            siteId: components["schemas"]["SiteId"];
            name?: string;
            contentType: string;
            /** @description In bytes. */
            size: number;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            createdAt: string;
        };
        /** @description A site. All fields except the id may be absent. */
        SiteDetails: {
            id: components["schemas"]["SiteId"];
            address1?: string;
            address2?: string;
            city?: string;
            state?: string;
            zip?: string;
            businessName?: string;
            brandId?: string;
            primaryClientId?: string;
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            updatedAt?: string;
            sla?: number;
            isMonitored?: boolean;
            clients?: components["schemas"]["SiteClient"][];
        };
        /** @description A client linked to a site. */
        SiteClient: {
            /** @description The first to ask about this site. */
            isPrimary?: boolean;
        } & components["schemas"]["ClientDetails"];
        /** @description A client. */
        ClientDetails: {
            id: components["schemas"]["ClientId"];
            name: string;
            firstName: string;
            lastName: string;
            partnerName?: string;
            marketingOptOut?: boolean;
            emails?: components["schemas"]["EmailAddress"][];
            phoneNumbers?: components["schemas"]["PhoneNumber"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt?: string;
        };
        /** @description One e-mail address of a client. */
        EmailAddress: {
            /** Format: uuid */
            id: string;
            value: string;
            label?: string;
            isPrimary?: boolean;
        };
        /** @description One telephone number of a client. */
        PhoneNumber: {
            /** Format: uuid */
            id: string;
            value: string;
            label?: string;
            isPrimary?: boolean;
            /** @description The extension. */
            ext?: number;
        };
        /** @description The body of every error reply but 429. */
        ErrorBody: {
            error: {
                /**
                 * @description For programs.
                 * @example NOT_FOUND
                 */
                code: string;
                /** @description For people. */
                message: string;
            };
        };
        /** @description The body of a 429 reply, which is not the error body. */
        RateLimitBody: {
            message: string;
        };
    };
    responses: {
        /** @description All public labels of the conversation after the change. */
        ConversationLabels: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConversationLabels"];
            };
        };
        /** @description All public labels of the site after the change. */
        SiteLabels: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SiteLabels"];
            };
        };
        /** @description All public labels of the link after the change. */
        ClientSiteLabels: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ClientSiteLabels"];
            };
        };
        /** @description The request cannot be parsed, or a parameter or field does not have the declared form. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "BAD_REQUEST",
                 *         "message": "body.contentType must not be empty"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Declared, but no rule uses it. A missing or unknown key is answered with 403. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "UNAUTHORIZED",
                 *         "message": "Unauthorized"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description No key, an unknown or revoked key, or a key without a scope that is needed. Some gateways answer the first three
         *     with a bare `message` before the service runs; the contract asks for the error body.
         */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "FORBIDDEN",
                 *         "message": "Operation not allowed"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description It does not exist, belongs to another tenant, or is a private label. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "NOT_FOUND",
                 *         "message": "Site not found"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The file is already registered. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "CONFLICT",
                 *         "message": "This file is already registered"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request body is larger than 10 MB. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PAYLOAD_TOO_LARGE",
                 *         "message": "The body has more than 10485760 bytes"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A body is required, and the body that was sent is not declared as JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "UNSUPPORTED_MEDIA_TYPE",
                 *         "message": "Send the body with Content-Type: application/json"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request is well-formed, but the current state does not allow it. */
        UnprocessableEntity: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "UNPROCESSABLE_ENTITY",
                 *         "message": "No bytes have been uploaded for this fileKey"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The key's bucket is empty. The request was not handled and changed nothing. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Too Many Requests"
                 *     }
                 */
                "application/json": components["schemas"]["RateLimitBody"];
            };
        };
        /** @description The service failed. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "INTERNAL_SERVER_ERROR",
                 *         "message": "Internal Server Error"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The service is not available. Try again with exponential backoff and jitter. */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "SERVICE_UNAVAILABLE",
                 *         "message": "Service Unavailable"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /** @description The conversation. */
        ConversationId: components["schemas"]["ConversationId"];
        /** @description The site. */
        SiteId: components["schemas"]["SiteId"];
        /** @description The client. */
        ClientId: components["schemas"]["ClientId"];
        /** @description The id of a public label, as in `listLabels`. */
        LabelId: components["schemas"]["LabelId"];
        /** @description The client of the link. */
        ClientIdOfLink: components["schemas"]["ClientId"];
        /** @description The site of the link. */
        SiteIdOfLink: components["schemas"]["SiteId"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description Whole seconds until one request is admitted.
         * @example 1
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type ConversationId = components['schemas']['ConversationId'];
export type SiteId = components['schemas']['SiteId'];
export type ClientId = components['schemas']['ClientId'];
export type LabelId = components['schemas']['LabelId'];
export type FileKey = components['schemas']['FileKey'];
export type Health = components['schemas']['Health'];
export type Label = components['schemas']['Label'];
export type LabelList = components['schemas']['LabelList'];
export type ConversationLabels = components['schemas']['ConversationLabels'];
export type SiteLabels = components['schemas']['SiteLabels'];
export type ClientSiteLabels = components['schemas']['ClientSiteLabels'];
export type Conversation = components['schemas']['Conversation'];
export type ConversationContext = components['schemas']['ConversationContext'];
export type Message = components['schemas']['Message'];
export type Attachment = components['schemas']['Attachment'];
export type Participants = components['schemas']['Participants'];
export type ClientSummary = components['schemas']['ClientSummary'];
export type ContextSite = components['schemas']['ContextSite'];
export type AssociatedConversation = components['schemas']['AssociatedConversation'];
export type StartUploadRequest = components['schemas']['StartUploadRequest'];
export type UploadTarget = components['schemas']['UploadTarget'];
export type RegisterFileRequest = components['schemas']['RegisterFileRequest'];
export type SiteFile = components['schemas']['SiteFile'];
export type SiteDetails = components['schemas']['SiteDetails'];
export type SiteClient = components['schemas']['SiteClient'];
export type ClientDetails = components['schemas']['ClientDetails'];
export type EmailAddress = components['schemas']['EmailAddress'];
export type PhoneNumber = components['schemas']['PhoneNumber'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type RateLimitBody = components['schemas']['RateLimitBody'];
export type ResponseConversationLabels = components['responses']['ConversationLabels'];
export type ResponseSiteLabels = components['responses']['SiteLabels'];
export type ResponseClientSiteLabels = components['responses']['ClientSiteLabels'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseUnprocessableEntity = components['responses']['UnprocessableEntity'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ParameterConversationId = components['parameters']['ConversationId'];
export type ParameterSiteId = components['parameters']['SiteId'];
export type ParameterClientId = components['parameters']['ClientId'];
export type ParameterLabelId = components['parameters']['LabelId'];
export type ParameterClientIdOfLink = components['parameters']['ClientIdOfLink'];
export type ParameterSiteIdOfLink = components['parameters']['SiteIdOfLink'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLabels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every public label of the tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConversationContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The context. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationContext"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    applyConversationLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConversationLabels"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeConversationLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                id: components["parameters"]["ConversationId"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConversationLabels"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    applySiteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SiteLabels"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeSiteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SiteLabels"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    applyClientSiteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client of the link. */
                clientId: components["parameters"]["ClientIdOfLink"];
                /** @description The site of the link. */
                siteId: components["parameters"]["SiteIdOfLink"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ClientSiteLabels"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeClientSiteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client of the link. */
                clientId: components["parameters"]["ClientIdOfLink"];
                /** @description The site of the link. */
                siteId: components["parameters"]["SiteIdOfLink"];
                /** @description The id of a public label, as in `listLabels`. */
                labelId: components["parameters"]["LabelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ClientSiteLabels"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startSiteFileUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartUploadRequest"];
            };
        };
        responses: {
            /** @description Where to send the bytes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadTarget"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerSiteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The site. */
                id: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterFileRequest"];
            };
        };
        responses: {
            /** @description The file is on the site. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client. */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
