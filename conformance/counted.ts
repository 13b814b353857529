/** `1 check`, `2 checks`, `0 replies`. @param many where it is not made by an s */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
