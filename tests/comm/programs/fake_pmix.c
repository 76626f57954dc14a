/* What libpmix.so.2 offers to one process of a launcher's, without a launcher, for test_pmix.py:
 *
 *   FAKE_PMIX_FOLDER   values lie there, each in a file CELL.KEY
 *   FAKE_PMIX_CELLS    how many cells there are
 *   FAKE_PMIX_INIT     `refused`: PMIx_Init fails
 *   FAKE_PMIX_FENCE    `at once`: PMIx_Fence_nb has succeeded when it returns, and nobody calls
 * back; `never`: it does not end; else it calls back
 */
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* variable(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

static int is(const char* name, const char* value) { return strcmp(variable(name), value) == 0; }

static FILE* open_value(pmix_rank_t cell, const char* key, const char* mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%u.%s", variable("FAKE_PMIX_FOLDER"), cell, key);
  return fopen(path, mode);
}

static pmix_rank_t own(void) { return (pmix_rank_t)atoi(variable("PMIX_RANK")); }

pmix_status_t PMIx_Init(pmix_proc_t* process, pmix_info_t info[], size_t count) {
  (void)info, (void)count;
  if (is("FAKE_PMIX_INIT", "refused")) return PMIX_ERROR;
  memset(process, 0, sizeof *process);
  process->rank = own();
  return PMIX_SUCCESS;
}

pmix_status_t PMIx_Finalize(const pmix_info_t info[], size_t count) {
  (void)info, (void)count;
  return PMIX_SUCCESS;
}

/* Under another name first, since nobody may read a part. */
pmix_status_t PMIx_Put(pmix_scope_t scope, const char key[], pmix_value_t* value) {
  (void)scope;
  char part[4096], whole[4096];
  snprintf(whole, sizeof whole, "%s/%u.%s", variable("FAKE_PMIX_FOLDER"), own(), key);
  snprintf(part, sizeof part, "%s/part.%u", variable("FAKE_PMIX_FOLDER"), own());
  FILE* const file = fopen(part, "w");
  if (file == NULL) return PMIX_ERROR;
  const size_t written = fwrite(value->data.bo.bytes, 1, value->data.bo.size, file);
  const int closed = fclose(file);
  if (written != value->data.bo.size || closed != 0) return PMIX_ERROR;
  return rename(part, whole) == 0 ? PMIX_SUCCESS : PMIX_ERROR;
}

pmix_status_t PMIx_Commit(void) { return PMIX_SUCCESS; }

pmix_status_t PMIx_Get(const pmix_proc_t* process, const char key[], const pmix_info_t info[],
                       size_t count, pmix_value_t** value) {
  (void)process, (void)info, (void)count;
  if (strcmp(key, PMIX_JOB_SIZE) != 0) return PMIX_ERR_NOT_FOUND;
  *value = calloc(1, sizeof **value);
  if (*value == NULL) return PMIX_ERR_NOMEM;
  (*value)->type = PMIX_UINT32;
  (*value)->data.uint32 = (uint32_t)atoi(variable("FAKE_PMIX_CELLS"));
  return PMIX_SUCCESS;
}

pmix_status_t PMIx_Get_nb(const pmix_proc_t* process, const char key[], const pmix_info_t info[],
                          size_t count, pmix_value_cbfunc_t answer, void* holder) {
  (void)info, (void)count;
  static char bytes[65536];
  FILE* const file = open_value(process->rank, key, "r");
  if (file == NULL) {
    answer(PMIX_ERR_NOT_FOUND, NULL, holder);
    return PMIX_SUCCESS;
  }
  pmix_value_t value;
  memset(&value, 0, sizeof value);
  value.type = PMIX_BYTE_OBJECT;
  value.data.bo.bytes = bytes;
  value.data.bo.size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  answer(PMIX_SUCCESS, &value, holder);
  return PMIX_SUCCESS;
}

pmix_status_t PMIx_Fence_nb(const pmix_proc_t processes[], size_t process_count,
                            const pmix_info_t info[], size_t count, pmix_op_cbfunc_t answer,
                            void* holder) {
  (void)processes, (void)process_count, (void)info, (void)count;
  if (is("FAKE_PMIX_FENCE", "at once")) return PMIX_OPERATION_SUCCEEDED;
  if (!is("FAKE_PMIX_FENCE", "never")) answer(PMIX_SUCCESS, holder);
  return PMIX_SUCCESS;
}

const char* PMIx_Error_string(pmix_status_t status) {
  return status == PMIX_ERROR ? "ERROR" : "another";
}
