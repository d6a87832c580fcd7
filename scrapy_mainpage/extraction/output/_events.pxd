"""What an event is: the vocabulary that the stream and the writers share."""

# The columns of an event are its operation, a kind, and two values: for OPEN the
# element (-1: none), for TEXT the bytes' start and end, for IMAGE and MEDIA the element.
cdef enum:
    OPEN, CLOSE, TEXT, BREAK, IMAGE, MEDIA, RULE, BLANK

# The order is that of NAMES in kinds.py: containers of blocks, containers of
# text, the paragraph (and text without one of its own), marks inside the text.
cdef enum:
    K_NONE
    K_BLOCKQUOTE, K_UL, K_OL, K_LI, K_DL, K_DD, K_TABLE, K_TR, K_TD, K_TH
    K_FIGURE, K_FIGCAPTION, K_DETAILS
    K_H1, K_H2, K_H3, K_H4, K_H5, K_H6, K_PRE, K_DT, K_SUMMARY, K_CAPTION
    K_P, K_TIGHT
    K_A, K_STRONG, K_B, K_EM, K_I, K_U, K_S, K_DEL, K_INS, K_SUB, K_SUP, K_MARK
    K_SMALL, K_Q, K_CITE, K_ABBR, K_KBD, K_SAMP, K_VAR, K_TIME, K_CODE
    N_KINDS
