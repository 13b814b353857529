/** What load tools write besides, or instead of, a record of each request: how it begins, and what to do. */
const logging = 'log each request, as load/foreign/logging.md shows for Artillery, Locust and wrk';
const summaries: readonly (readonly [begins: RegExp, says: string])[] = [
  [/^Running \d+m?s? test @/, `is the summary of wrk or wrk2; ${logging}`],
  [/^\s*Summary:/, 'is a summary; run hey with "-o csv", or oha with "--no-tui --output-format csv"'],
  [/^\{\s*"summary"\s*:/, 'is the summary of oha; run it with "--no-tui --output-format csv"'],
  [/^This is ApacheBench/, `is the summary of ab; ${logging}`],
  [
    /^"?(Type"?[,;\t]"?Name|Timestamp"?[,;\t]"?User Count|Method"?[,;\t]"?Name)"?[,;\t]/,
    `is a summary of Locust; ${logging}`,
  ],
  [/^\{\s*"aggregate"\s*:/, `is a summary of Artillery; ${logging}`],
  [/^(█|\{\s*"(root_group|metrics|state|options)"\s*:)/, 'is the summary of k6; run it with "--out json=FILE"'],
  [/^(Requests\s+\[total|\{"latencies")/, 'is a report of vegeta; run "vegeta encode --to csv" on its results'],
  [/^"?Label"?[,;\t]"?# Samples/, 'is a summary of JMeter; give the file of "jmeter -n -l FILE"'],
  [
    /^<\?xml[^>]*>\s*<testResults|^<testResults/,
    'is XML; run JMeter with "-Jjmeter.save.saveservice.output_format=csv"',
  ],
  [
    /^(RUN|USER|REQUEST)\t|^\{\s*"(type|name)"\s*:\s*"(GROUP|All Requests)"/,
    'is the log or a summary of Gatling, which says OK or KO and no status; give the log of the gateway, or write sentAt, doneAt and status of each request yourself',
  ],
];

/** What a text is, and what to give instead, where it is a known kind of output without the requests. */
export const summaryIn = (text: string): string | undefined => summaries.find(([begins]) => begins.test(text))?.[1];
