const logging = 'log each request, as load/foreign/logging.md shows for Artillery, Locust and wrk';

/** What load tools write besides, or instead of, a record of each request: how it begins, and what to do. */
const summaries: readonly (readonly [begins: RegExp, says: string])[] = [
  [/^Running \d+m?s? test @/, `is the summary of wrk or wrk2; ${logging}`],
  [/^(Summary:|\{\s*"summary"\s*:)/, 'is a summary; run hey with "-o csv", oha with "--no-tui --output-format csv"'],
  [/^This is ApacheBench/, `is the summary of ab; ${logging}`],
  [
    /^"?(Type|Method|Timestamp)"?.("?Name"?.|"?User Count"?.)"?(Request|# req|Error|Type)/,
    `is Locust's sums; ${logging}`,
  ],
  [/^\{\s*"aggregate"\s*:/, `is a summary of Artillery; ${logging}`],
  [/^(█|\{\s*"(root_group|metrics|state|options)"\s*:)/, 'is the summary of k6; run it with "--out json=FILE"'],
  [/^(Requests\s+\[total|\{"latencies")/, 'is a report of vegeta; run "vegeta encode --to csv" on its results'],
  [/^"?Label"?.?"?# Samples/, 'is a summary of JMeter; give the file of "jmeter -n -l FILE"'],
  [/^(<\?xml[^>]*>\s*)?<testResults/, 'is XML; run JMeter with "-Jjmeter.save.saveservice.output_format=csv"'],
  [
    /^(RUN|USER|REQUEST)\t|^\{\s*"(type|name)"\s*:\s*"(GROUP|All Requests)"/,
    "is Gatling's, which says OK or KO and no status; give the gateway's log, or write sentAt, doneAt and status of each request",
  ],
];

/** What to give instead of a text that is a known kind of output without the requests. */
export const summaryIn = (text: string): string | undefined => summaries.find(([begins]) => begins.test(text))?.[1];
