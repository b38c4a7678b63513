#ifndef START_PAGES_H
#define START_PAGES_H

/* Unmaps the code and constants of the program and its libraries. What is touched again is mapped
   again, mostly from the copy of the file that the kernel still has in memory. */
void start_pages_give_back(void);

#endif
