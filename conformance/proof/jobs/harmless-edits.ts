/** Edits of a good history that break no law, by what they edit, and why the edited reply keeps the contract as well. The first that fits counts. */
export const harmlessEdits: readonly (readonly [edit: RegExp, reason: string])[] = [
  [/^value of (error\.)?message /, 'what a message says to people is free'],
  [/ of no operation /, 'what answers a path or a method that the document does not name is open'],
  [/ 200, query\/private/, 'what a parameter does that the document does not name is open'],
  [/ of listLabels 200, in limiter\/exhausted/, 'what no reply has shown before may have been made since'],
  [
    / of labels\.# of listLabels 200, in labels\/at-rest|labels(\.#)? gone of listLabels 200, in labels\/at-rest/,
    'a label that no later list shows may have been deleted',
  ],
  [
    /^status to 200 of getSite 404, path\/ids-in-capitals/,
    'whether an id in capitals is one is open, and the reply shows no record',
  ],
  [
    /^(body|error) gone of \w+ 403, key: \w+, body\//,
    'an odd body without a key may be refused by a gateway, in its own form',
  ],
  [/ of \w+ 413, size/, 'a gateway may answer a body that is too large, in its own form'],
  [
    / 403, key: other-case/,
    'whether the letter case of a key counts is open, as long as it is the same for all requests',
  ],
  [/ 403, key: replaced/, 'whether a replaced secret stops at once is assumed, so it is only reported'],
  [/^status to 200 of \w+ 404, label-id\/upper-case/, 'a label id may be recognised in any letter case'],
  [/^status to 200 of remove\w+ 404/, 'a removal of what cannot be there may succeed: it changes nothing'],
  [/ of registerSiteFile /, 'fields, response and scope of a registration are not shown'],
  [/^status to 200 of \w+ 429, .*limiter\//, 'one request more at once is within the readings of the burst'],
  [/^body gone of storage /, 'the object store has a form of its own'],
  [/^status to 40[34] of storage 403/, 'the object store says by any 4xx that it refuses'],
  [/^status to 40[34] of storage 200/, 'the same file was stored by another request, or a store refuses now and then'],
  [
    /^status to 200 of storage 403, .*signature\//,
    'whether the store verifies signatures is not shown: it is only reported',
  ],
  [/^value of uploadUrl /, 'any URL may be the upload URL; the file went to the one that was given'],
  [/labels\.#\.(id|name)/, 'the fields of a label record are not shown: it is recognised by its id or by its name'],
  [/labels.* (apply|remove)\w+ 200.*(at-once|limiter\/)/, 'of writes at the same time either may come last'],
  [
    /^first item of labels gone of removeSiteLabel 200, in labels\/at-rest/,
    'a user may take a label off before the last reply: the run is incomplete',
  ],
  [
    /(conversationId|clientId|siteId)( gone)? of (apply|remove)(Conversation|ClientSite)Label 200/,
    'the document shows only the set of labels of this reply',
  ],
  [/ of applyClientSiteLabel 200/, 'the document does not show this operation'],
  [/^body gone of removeSiteLabel 200/, 'the document does not show the reply to this operation'],
  [/ of (getConversation|getSite|getClient) 200/, 'the document does not show the fields of this reply'],
  [
    /( gone|^first item of .*|^value of .*) of getConversationContext 200/,
    'no field of a context is said to be required, and no value of its texts is shown',
  ],
  [/ of listLabels 200.*globex\/reader/, 'a key with fewer scopes may be shown less'],
  [/, unusual\//, 'what a header, a query or a body does that the document does not name is open'],
  [
    /^(body|error) gone of \w+ 403, (query|path)\//,
    'an odd query or path without the scope may be refused by a gateway, in its own form',
  ],
  [/^status to 200 of get(Conversation|Client|Site) 403, /, 'the document does not name the scopes of this operation'],
];

/** The edits that broke no law, by reason, as a page. */
export function harmlessEditsPage(broken: number, harmless: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...harmless].map(([reason, edits]) => `| ${edits.length} | ${reason} | ${edits[0]} |`);
  const count = [...harmless.values()].reduce((sum, { length }) => sum + length, 0);
  return `# Edits of a good history

Written by \`npm run proof\`. A run against the mock, then every reply edited: another status, no body, a field gone, of another type or value, an item gone.
Of ${broken + count} edits, one at a time, ${broken} break a law. The others leave a reply that keeps the contract as well:

| edits | why no law finds them | such as |
|---:|---|---|
${rows.join('\n')}
`;
}
