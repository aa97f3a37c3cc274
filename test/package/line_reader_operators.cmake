# Made by `kuiper strip`: a build with -DKUIPER_OPERATORS=THIS_FILE has only what these models need.
#   line_reader.pnnx.param
set(KUIPER_OPERATION_FILES
    convolution/convolution
    elementwise/cast
    elementwise/elementwise_table
    elementwise/expression
    movement/permute
    movement/slice
    movement/squeeze
    movement/view_type
    normalization/softmax
    pooling/pooling
    product/linear
    recurrent/rnn
    reduction/arg_reduce
    reduction/variance)
set(KUIPER_KERNEL_FAMILIES)
