/** `1 check`, `2 checks`, `0 replies`. @param many the plural, where it is not the singular with an s */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
