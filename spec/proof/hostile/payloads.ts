/** Texts that a page, a table, a terminal or a log might interpret. Each contains this word, so that it can be found. */
export const mark = 'payload';

/** Texts for every place of a reply whose content a report may repeat. */
export const payloads: readonly string[] = [
  `<script>document.title='broken ${mark}'</script>`,
  `</script></style></title></textarea></pre><img src=x onerror="document.title='broken ${mark}'">`,
  `"><svg onload=document.title='broken ${mark}'>`,
  `' onmouseover='document.title="broken ${mark}"' autofocus onfocus='document.title="broken ${mark}"'`,
  `<meta http-equiv=refresh content="0;url=https://evil.example/${mark}"><base href=https://evil.example/>`,
  `<link rel=stylesheet href=https://evil.example/${mark}.css><iframe src=javascript:alert(1)></iframe>`,
  `javascript:alert('${mark}') https://evil.example/${mark}`,
  `]]><failure message="${mark}"/><![CDATA[`,
  `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;&${mark};`,
  `${mark} \u0000\u0001\u0008\u000b\u001f\u007f\u0085\ufffe\uffff\ud800`,
  `\u001b[2J\u001b[31m\u001b]0;${mark}\u0007\u009b2J\u001b]8;;https://evil.example\u0007link`,
  `${mark}\r\n::error::forged\n::set-output name=a::b\n##[stop-commands]x`,
  `${mark}\nconformant: 44 of 44 must rules passed\n`,
  `\u202e${mark}\u2066 turned \u2028 round`,
  `| ${mark} | cells |\n|---|---|\n# heading\n\n![x](https://evil.example/${mark}.png) [link](javascript:alert(1)) \`code\``,
  `</details></summary></td></tr></table>${mark}`,
  `\`\`\`\n~~~\n${mark}\n$(touch /tmp/${mark}) \`id\` '; echo ${mark}; '`,
  `=cmd|' /C calc'!A0 ${mark}`,
  `%0d%0aset-cookie:%20${mark} \${${mark}} {{${mark}}} #{${mark}}`,
  `__proto__ constructor ${mark} ${'A'.repeat(5_000)}`,
];
